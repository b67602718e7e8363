"""Wrong answers to the notebook Layers, and right ones written differently."""

from collections.abc import Callable

from tito.variants import Alternative, Mutant

# A table: name, old, new, and what a wrong answer is told.
# fmt: off


def _wrong(cell: str) -> Callable[[str, str, str, str], Mutant]:
    return lambda name, old, new, says: Mutant(name, cell, f"test-{cell}", old, new, says)


# --- 1 Layer.walk and Layer.train
_layer = _wrong("layer")
_START = "seen = {id(self)} if seen is None else seen"
_IS_NEW = "if isinstance(member, Tensor | Layer) and id(member) not in seen:"
_BEFORE = "yield name, member\n                if isinstance(member, Layer):"
_DEEPER = 'yield from ((f"{name}.{inner}", x) for inner, x in member.walk(seen))'
_REACH = """        for _, member in self.walk():
            if isinstance(member, Layer):
                member.training = mode
"""
LAYER = [
    _layer("finds-itself", _START, "seen = set() if seen is None else seen",
        "A layer does not find itself"),
    _layer("stays-on-top", _DEEPER, "pass", "look into layers"),
    _layer("loses-the-outer-name", _DEEPER, "yield from member.walk(seen)", "look into layers"),
    _layer("joins-names-with-a-slash", 'f"{name}.{inner}"', 'f"{name}/{inner}"',
        "look into layers"),
    _layer("joins-names-without-a-dot", 'f"{name}.{inner}"', "name + inner", "look into layers"),
    _layer("meets-friends-again", "seen.add(id(member))", "seen.add(name)",
        "The walk met the layers"),
    _layer("meets-tensors-again", "seen.add(id(member))",
        "isinstance(member, Layer) and seen.add(id(member))", "`tied` is blocks.1.weight"),
    _layer("keeps-seen-to-itself", "member.walk(seen))", "member.walk({*seen, id(member)}))",
        "`tied` is blocks.1.weight"),
    _layer("looks-at-attributes-only", "in self.members():", "in vars(self).items():",
        "The walk met the layers"),
    _layer("puts-layers-behind", f"{_BEFORE}\n                    {_DEEPER}",
        f"if isinstance(member, Layer):\n                    {_DEEPER}"
        "\n                yield name, member", "a layer before what is in it"),
    _layer("puts-tensors-first", "in self.members():",
        "in sorted(self.members(), key=lambda m: isinstance(m[1], Layer)):",
        "`tied` is blocks.1.weight"),
    _layer("sorts-by-name", "in self.members():",
        "in sorted(self.members(), key=lambda m: m[0], reverse=True):", "The walk met the layers"),
    _layer("copies-tensors", "yield name, member\n",
        "yield name, member if isinstance(member, Layer) else Tensor(member, member.requires_grad)"
        "\n", "the Tensors themselves"),
    _layer("skips-buffers", _IS_NEW,
        "if isinstance(member, Layer) or getattr(member, 'requires_grad', False):\n"
        "                if id(member) in seen:\n                    continue",
        "A frozen weight is a buffer"),
    _layer("keeps-one-set-for-ever", _START,
        "if not hasattr(Layer, 'met'):\n            Layer.met = {id(self)}\n"
        "        seen = Layer.met", "look into layers"),
    _layer("eval-is-shallow", _REACH, "", "eval() must reach every layer"),
    _layer("eval-reaches-children-only",
        "in self.walk():\n            if isinstance(member, Layer)",
        "in self.members():\n            if isinstance(member, Layer)",
        "eval() must reach every layer"),
    _layer("eval-forgets-itself", "self.training = mode\n", "pass\n",
        "eval() must reach every layer"),
    _layer("eval-is-for-all", "self.training = mode\n", "Layer.training = self.training = mode\n",
        "must not change another"),
    _layer("train-is-one-way", "member.training = mode", "member.training = False",
        "switches back what eval() switched off"),
    _layer("train-returns-nothing", "        return self\n", "", "return the layer itself"),
]

# --- 2 Linear
_linear = _wrong("linear")
_LIMIT = "limit = math.sqrt(6 / (in_features + out_features))"
_DRAW = "Random.generator.uniform(-limit, limit, (in_features, out_features))"
_WEIGHT = "self.weight = Tensor(drawn, requires_grad=True)"
_BIAS = "Tensor(np.zeros(out_features), requires_grad=True) if bias else None"
_CHECK = "if x.shape[-1:] != (self.in_features,):"
_PRODUCT = "product = x @ self.weight"
_RETURN = "return product if self.bias is None else product + self.bias"
LINEAR = [
    _linear("turns-the-weight", "(in_features, out_features))\n        self",
        "(out_features, in_features))\n        self", "The weight is (in, out)"),
    _linear("starts-with-zeros", _DRAW, "np.zeros((in_features, out_features))",
        "yours from 0.00 to 0.00"),
    _linear("draws-standard-normal", _DRAW,
        "Random.generator.normal(size=(in_features, out_features))", "times the limit"),
    _linear("draws-normal-of-that-variance", _DRAW,
        "Random.generator.normal(0, limit / 3**0.5, (in_features, out_features))",
        "times the limit"),
    _linear("draws-positive-weights", "uniform(-limit, limit,", "uniform(0, limit,",
        "yours from 0.00 to"),
    _linear("forgets-the-root", _LIMIT, "limit = 6 / (in_features + out_features)",
        "times the limit"),
    _linear("takes-variance-for-limit", _LIMIT,
        "limit = math.sqrt(2 / (in_features + out_features))", "times the limit"),
    _linear("looks-at-the-input-only", _LIMIT, "limit = math.sqrt(3 / in_features)",
        "times the limit"),
    _linear("starts-as-pytorch", _LIMIT, "limit = 1 / math.sqrt(in_features)",
        "times the limit"),
    _linear("repeats-a-column", _DRAW,
        "np.repeat(Random.generator.uniform(-limit, limit, (in_features, 1)), out_features, 1)",
        "draw each weight by itself"),
    _linear("draws-its-own-weights", "Random.generator.uniform", "np.random.default_rng().uniform",
        "must bring the weights again"),
    _linear("seeds-its-own-weights", "Random.generator.uniform", "np.random.default_rng(0).uniform",
        "draw from Random.generator"),
    _linear("freezes-the-weight", _WEIGHT, "self.weight = Tensor(drawn)",
        "weight and bias ask for a gradient"),
    _linear("freezes-the-bias", "(np.zeros(out_features), requires_grad=True)",
        "(np.zeros(out_features))", "weight and bias ask for a gradient"),
    _linear("starts-biases-at-one", "np.zeros(out_features)", "np.ones(out_features)",
        "one zero for each output"),
    _linear("has-one-bias", "np.zeros(out_features)", "np.zeros(1)", "one zero for each output"),
    _linear("keeps-a-zero-bias", _BIAS, "Tensor(np.zeros(out_features), requires_grad=True)",
        "With bias=False"),
    _linear("forgets-the-bias", _RETURN, "return product", "[1, 2] must give"),
    _linear("subtracts-the-bias", "product + self.bias", "product - self.bias",
        "[1, 2] must give"),
    _linear("linear-cuts-the-graph", _PRODUCT, "product = Tensor(x.data @ self.weight.data)",
        "The graph is cut"),
    _linear("detaches-the-input", _PRODUCT, "product = x.detach() @ self.weight",
        "The graph is cut"),
    _linear("makes-float32", "return product if", "product = product * 1 if x.dtype == 'float32' "
        "else Tensor(product.data)\n        return product if", "float64 in gave"),
    _linear("flattens-the-front", _PRODUCT,
        "product = x.reshape(-1, self.in_features) @ self.weight", "[1, 2] must give"),
    _linear("does-not-check", _CHECK, "if False:", "Say what is expected"),
    _linear("checks-the-second-size", _CHECK,
        "if x.ndim > 1 and x.shape[1] != self.in_features:", "(2, 3, 2)"),
    _linear("names-no-shape", "got shape {x.shape}", "got something else",
        "Say what is expected and what came"),
    _linear("raises-type-error", "raise ValueError(f\"Linear", "raise TypeError(f\"Linear",
        "raise a ValueError"),
]

# --- 3 Dropout
_dropout = _wrong("dropout")
_IDLE = "if not self.training or self.p == 0:"
_KEPT = "is_kept = Random.generator.random(x.shape) >= self.p"
_SCALED = "return x * (is_kept / (1 - self.p))"
DROPOUT = [
    _dropout("keeps-what-should-go", ">= self.p", "< self.p", "became 0"),
    _dropout("does-not-scale", _SCALED, "return x * is_kept", "numbers are 0 or"),
    _dropout("scales-down", _SCALED, "return x * (is_kept * (1 - self.p))", "numbers are 0 or"),
    _dropout("divides-by-p", "is_kept / (1 - self.p)", "is_kept / self.p", "numbers are 0 or"),
    _dropout("scales-by-what-was-kept", "is_kept / (1 - self.p)", "is_kept / is_kept.mean()",
        "numbers are 0 or"),
    _dropout("drops-rows", "random(x.shape) >=", "random((len(x), 1)) >=",
        "draw for each number"),
    _dropout("drops-columns", "random(x.shape) >=", "random(x.shape[-1]) >=",
        "draw for each number"),
    _dropout("never-drops", _IDLE, "if True:", "numbers are 0 or"),
    _dropout("ignores-eval", _IDLE, "if self.p == 0:", "After eval()"),
    _dropout("scales-in-eval", _IDLE, "if not self.training:\n            return x * (1 - self.p)\n"
        "        if self.p == 0:", "After eval()"),
    _dropout("copies-in-eval", "return x\n", "return x * 1\n", "returns x itself"),
    _dropout("multiplies-for-p-0", _IDLE, "if not self.training:", "With p = 0"),
    _dropout("cuts-the-graph", _SCALED, "return Tensor(x.data * (is_kept / (1 - self.p)), "
        "dtype=x.dtype)", "The graph must lead to x"),
    _dropout("asks-for-the-masks-gradient", _SCALED,
        "return x * Tensor(is_kept / (1 - self.p), True, x.dtype)", "must not ask for a gradient"),
    _dropout("widens-to-float64", _SCALED,
        "return x * Tensor(is_kept / (1 - self.p), dtype=np.float64)",
        "float32 and float64 in gave"),
    _dropout("has-its-own-chance", "Random.generator.random", "np.random.default_rng().random",
        "use Random.generator"),
    _dropout("has-its-own-seed", "Random.generator.random", "np.random.default_rng(1).random",
        "draw each time"),
    _dropout("writes-into-x", _SCALED,
        "x.data *= np.float32(is_kept / (1 - self.p))\n        return x * 1", "numbers are 0 or"),
]

# --- 4 Sequential and Flatten
_sequential = _wrong("sequential")
_LOOP = "for layer in self.layers:\n            x = layer(x)"
_ROWS = "return x.reshape(len(x), math.prod(x.shape[1:]))"
SEQUENTIAL = [
    _sequential("goes-backwards", "in self.layers:", "in self.layers[::-1]:",
        "abs(2 * (x + 3)) of"),
    _sequential("feeds-all-the-same", _LOOP,
        "for layer in self.layers:\n            y = layer(x)\n        x = y if self.layers else x",
        "abs(2 * (x + 3)) of"),
    _sequential("stops-after-one", "x = layer(x)\n", "return layer(x)\n", "abs(2 * (x + 3)) of"),
    _sequential("calls-forward", "x = layer(x)", "x = layer.forward(x)", "no attribute 'forward'"),
    _sequential("skips-what-is-no-layer", "x = layer(x)",
        "x = layer(x) if isinstance(layer, Layer) else x", "abs(2 * (x + 3)) of"),
    _sequential("uses-up-its-layers", _LOOP,
        "while self.layers:\n            x = self.layers.pop(0)(x)", "abs(2 * (x + 3)) of"),
    _sequential("sequential-cuts-the-graph", "x = layer(x)", "x = layer(x.detach())",
        "lead back to all weights"),
    _sequential("flattens-the-batch", _ROWS, "return x.reshape(-1)",
        "each example in reading order"),
    _sequential("leaves-the-size-open", _ROWS, "return x.reshape(len(x), -1)",
        "Flatten of (0, 2, 3)"),
    _sequential("makes-columns", _ROWS, "return x.reshape(math.prod(x.shape[1:]), len(x))",
        "each example in reading order"),
    _sequential("reads-by-columns", _ROWS,
        "return x.permute(0, *range(x.ndim - 1, 0, -1)).reshape(len(x), math.prod(x.shape[1:]))",
        "each example in reading order"),
    _sequential("copies", _ROWS, "return (x + 0).reshape(len(x), math.prod(x.shape[1:]))",
        "Flatten is a view"),
    _sequential("reshapes-the-array", _ROWS,
        "return Tensor(x.data.reshape(len(x), math.prod(x.shape[1:])))",
        "lead to the images"),
    _sequential("wants-images", _ROWS, "return x.reshape(len(x), x.shape[1] * x.shape[2])",
        "Flatten of (5,)"),
]

MUTANTS = [*LAYER, *LINEAR, *DROPOUT, *SEQUENTIAL]

# Right answers, three or more to an exercise.
_WALK = f"""{_START}
        for name, member in self.members():
            {_IS_NEW}
                seen.add(id(member))
                {_BEFORE}
                    {_DEEPER}
"""
ALTERNATIVES = [
    Alternative("collects-a-list", "layer", _WALK, """if seen is None:
            seen = set()
        seen.add(id(self))
        found = []
        for name, member in self.members():
            if id(member) in seen or not isinstance(member, (Tensor, Layer)):
                continue
            seen.add(id(member))
            found.append((name, member))
            if isinstance(member, Layer):
                found += [(name + "." + inner, x) for inner, x in member.walk(seen)]
        return found
"""),
    Alternative("stack-instead-of-recursion", "layer", _WALK, """seen = seen or {id(self)}
        stack = list(self.members())[::-1]
        while stack:
            name, member = stack.pop()
            if id(member) not in seen and isinstance(member, Tensor | Layer):
                seen.add(id(member))
                yield name, member
                if isinstance(member, Layer):
                    stack += [(f"{name}.{part}", x) for part, x in member.members()][::-1]
"""),
    Alternative("loop-instead-of-yield-from", "layer", _DEEPER,
        """for inner, x in member.walk(seen):
                        yield f"{name}.{inner}", x"""),
    Alternative("list-of-all-layers", "layer", "self.training = mode\n" + _REACH,
        """for layer in [self, *(x for _, x in self.walk() if isinstance(x, Layer))]:
            layer.training = mode
"""),
    Alternative("float32-draws", "linear", _DRAW,
        "limit * (2 * Random.generator.random((in_features, out_features), np.float32) - 1)"),
    Alternative("variance-first", "linear", _LIMIT,
        "limit = (3 * (2 / (in_features + out_features))) ** 0.5"),
    Alternative("add-if", "linear", f"{_PRODUCT}\n        {_RETURN}", """out = x.matmul(self.weight)
        if self.bias is not None:
            out = self.bias + out
        return out"""),
    Alternative("through-two-dimensions", "linear", _PRODUCT, """rows = math.prod(x.shape[:-1])
        product = x.reshape(rows, self.in_features) @ self.weight
        product = product.reshape(*x.shape[:-1], self.out_features)"""),
    Alternative("ndim-check", "linear", _CHECK,
        "if x.ndim == 0 or x.shape[-1] != self.in_features:"),
    Alternative("float32-mask", "dropout", _KEPT,
        "is_kept = Random.generator.random(x.shape, dtype=np.float32) > self.p"),
    Alternative("binomial", "dropout", _KEPT,
        "is_kept = Random.generator.binomial(1, 1 - self.p, size=x.shape)"),
    Alternative("two-multiplications", "dropout", _SCALED, "return x * is_kept / (1 - self.p)"),
    Alternative("tensor-mask", "dropout", _SCALED,
        "return Tensor(np.where(is_kept, 1 / (1 - self.p), 0), dtype=x.dtype) * x"),
    Alternative("training-first", "dropout", _IDLE, "if self.p == 0.0 or self.training is False:"),
    Alternative("iterator", "sequential", _LOOP,
        "layers = iter(self.layers)\n        for layer in layers:\n            x = layer(x)"),
    Alternative("by-index", "sequential", _LOOP,
        "for i in range(len(self.layers)):\n            x = self.layers[i](x)"),
    Alternative("size-over-batch", "sequential", _ROWS,
        "return x.reshape(x.shape[0], int(np.prod(x.shape[1:])))"),
    Alternative("one-tuple", "sequential", _ROWS,
        "return x.reshape((x.shape[0], math.prod(x.shape[1:])))"),
]
