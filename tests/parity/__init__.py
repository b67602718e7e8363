"""The same computation in TinyTorch and in PyTorch: equal values, equal gradients, float32 kept."""
