"""The three architectures of ``real_models.py``, number by number, in plain Python.

They are written from the architectures' definitions, are slow, and share no code with what they
check. ``forms`` has a function of one number for each site. Weights are nested lists.
"""

import math


def plain(weights):
    return {name: array.tolist() for name, array in weights.items()}


def sigmoid(c):
    return lambda x: x / (1 + math.exp(-c * x))


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b, strict=True))


def added(*rows):
    return [math.fsum(column) for column in zip(*rows, strict=True)]


def dense(x, weights, name):
    """A linear map of one place: a row of weights and a bias for each output."""
    rows = zip(weights[f"{name}.weight"], weights[f"{name}.bias"], strict=True)
    return [dot(row, x) + bias for row, bias in rows]


def normed(x, weights, name, small):
    mean = math.fsum(x) / len(x)
    variance = math.fsum((one - mean) ** 2 for one in x) / len(x)
    rows = zip(x, weights[f"{name}.weight"], weights[f"{name}.bias"], strict=True)
    return [
        (one - mean) / math.sqrt(variance + small) * scale + shift for one, scale, shift in rows
    ]


def attended(query, keys, values, heads):
    """What one place takes from those that it may look at."""
    width, taken = len(query) // heads, []
    for at in range(0, len(query), width):
        own = query[at : at + width]
        likely = [math.exp(dot(own, key[at : at + width]) / math.sqrt(width)) for key in keys]
        for i in range(at, at + width):
            taken.append(dot(likely, [value[i] for value in values]) / math.fsum(likely))
    return taken


def magika(weights, given, forms):
    """Bytes to log-odds: dense, norm over places of four bytes, convolution, maximum, dense."""
    kinds, seen = len(weights["bytes.weight"][0]), []
    for byte in given:
        one_hot = [float(kind == byte) for kind in range(kinds)]
        seen.append([forms[0](x) for x in dense(one_hot, weights, "bytes")])
    rows = [[*a, *b, *c, *d] for a, b, c, d in zip(*[iter(seen)] * 4, strict=True)]
    columns = [normed(column, weights, "places", 1e-6) for column in zip(*rows, strict=True)]
    highest = []
    for kernel, bias in zip(
        weights["convolution.weight"], weights["convolution.bias"], strict=True
    ):
        width = len(kernel[0])
        at_places = [
            math.fsum(
                dot(part, x[at : at + width]) for part, x in zip(kernel, columns, strict=True)
            )
            for at in range(len(rows) - width + 1)
        ]
        highest.append(max(forms[1](x + bias) for x in at_places))
    return dense(normed(highest, weights, "highest", 1e-6), weights, "types")


def bert(weights, tokens, forms, heads):
    """BERT as a model of sentences, norms after the sums: tokens to the mean, of length 1."""
    small, x = 1e-12, []
    words, places, kinds = (
        weights[f"embeddings.{kind}_embeddings.weight"]
        for kind in ("word", "position", "token_type")
    )
    for place, token in enumerate(tokens):
        found = added(words[token], places[place], kinds[0])
        x.append(normed(found, weights, "embeddings.LayerNorm", small))
    for layer, form in enumerate(forms):
        at = f"encoder.layer.{layer}"
        query, key, value = (
            [dense(one, weights, f"{at}.attention.self.{of}") for one in x]
            for of in ("query", "key", "value")
        )
        for place, own in enumerate(query):
            taken = attended(own, key, value, heads)
            taken = dense(taken, weights, f"{at}.attention.output.dense")
            name = f"{at}.attention.output.LayerNorm"
            x[place] = normed(added(taken, x[place]), weights, name, small)
        for place, one in enumerate(x):
            inner = [form(each) for each in dense(one, weights, f"{at}.intermediate.dense")]
            outer = dense(inner, weights, f"{at}.output.dense")
            x[place] = normed(added(outer, one), weights, f"{at}.output.LayerNorm", small)
    mean = [math.fsum(column) / len(x) for column in zip(*x, strict=True)]
    return [one / math.sqrt(dot(mean, mean)) for one in mean]


def convolved(x, weights, name, step):
    """A convolution of width 3 with a zero before the first place and one after the last."""
    count, found = len(x[0]), []
    for kernel, bias in zip(weights[f"{name}.weight"], weights[f"{name}.bias"], strict=True):
        found.append([])
        for centre in range(0, count, step):
            inside = [(i, centre + i - 1) for i in range(3) if 0 <= centre + i - 1 < count]
            products = [
                part[i] * row[at] for part, row in zip(kernel, x, strict=True) for i, at in inside
            ]
            found[-1].append(math.fsum([*products, bias]))
    return found


def projected(x, weights, name, number=0):
    """The norm of a part of a Whisper layer, and its first linear map."""
    return dense(normed(x, weights, f"{name}/layer_norm", 1e-5), weights, f"{name}/linear_{number}")


def self_attended(x, weights, at, heads, causal):
    """The sums after a self-attention; a causal place sees itself and what is before it."""
    width, name = len(x[0]), f"{at}/self_attention"
    all_three = [projected(one, weights, name) for one in x]
    query, key, value = ([one[i * width : (i + 1) * width] for one in all_three] for i in range(3))
    found = []
    for place, one in enumerate(x):
        upto = place + 1 if causal else len(x)
        taken = attended(query[place], key[:upto], value[:upto], heads)
        found.append(added(one, dense(taken, weights, f"{name}/linear_1")))
    return found


def fed_forward(one, weights, at, form):
    inner = [form(each) for each in projected(one, weights, f"{at}/ffn")]
    return added(one, dense(inner, weights, f"{at}/ffn/linear_1"))


def whisper(weights, spectrogram, tokens, forms, heads, layers):
    """Whisper, norms before the parts: the log-odds of what follows each token."""
    x = spectrogram
    for site in range(2):
        x = convolved(x, weights, f"encoder/conv{site + 1}", site + 1)
        x = [[forms[site](each) for each in row] for row in x]
    positions = weights["encoder/position_encodings/encodings"]
    x = [
        added(column, place) for column, place in zip(zip(*x, strict=True), positions, strict=True)
    ]
    for layer in range(layers):
        at = f"encoder/layer_{layer}"
        x = self_attended(x, weights, at, heads, causal=False)
        x = [fed_forward(one, weights, at, forms[2 + layer]) for one in x]
    heard = [normed(one, weights, "encoder/layer_norm", 1e-5) for one in x]
    embeddings = weights["decoder/embeddings.weight"]
    positions = weights["decoder/position_encodings/encodings"]
    x = [added(embeddings[token], positions[place]) for place, token in enumerate(tokens)]
    for layer in range(layers):
        at = f"decoder/layer_{layer}"
        x = self_attended(x, weights, at, heads, causal=True)
        name, width = f"{at}/attention", len(x[0])
        both = [dense(one, weights, f"{name}/linear_1") for one in heard]
        keys, values = [one[:width] for one in both], [one[width:] for one in both]
        for place, one in enumerate(x):
            taken = attended(projected(one, weights, name), keys, values, heads)
            x[place] = added(one, dense(taken, weights, f"{name}/linear_2"))
        x = [fed_forward(one, weights, at, forms[2 + layers + layer]) for one in x]
    x = [normed(one, weights, "decoder/layer_norm", 1e-5) for one in x]
    return [[dot(row, one) for row in weights["decoder/projection.weight"]] for one in x]
