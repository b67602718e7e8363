"""What the lessons say of PyTorch, run: lesson -> claims."""

from tests.lessons.prose.production import gradients, steps, tensors

CLAIMS = tensors.CLAIMS | gradients.CLAIMS | steps.CLAIMS
