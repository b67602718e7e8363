"""Every operation's gradient against central differences, over shapes that Hypothesis draws."""
