"""The networks of ``record_real_networks.py`` against slow loops, on small random weights."""

import math

import numpy as np
import pytest
import real_models as models
import slow_networks as slow

FINE, CLEAR = 1e-12, 1e-9
"""What float64 explains, and what it does not."""


def drawn(shapes, seed=46):
    normal = np.random.default_rng(seed).normal
    return {name: normal(size=shape) for name, shape in shapes.items()}


def linear(name, outputs, inputs):
    return {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}


def norm(name, width):
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}


# --- the three, small


class MiniLM(models.MiniLM):
    sites, HEADS = ("layer 1", "layer 2"), 2


class Whisper(models.Whisper):
    sites = ("convolution 1", "convolution 2", "encoder 1", "encoder 2", "decoder 1", "decoder 2")
    HEADS, LAYERS = 2, 2
    START, END, LONGEST = (0, 3), 5, 6


def magika_weights():
    return drawn(
        linear("bytes", 3, 9)
        | norm("places", 6)
        | {"convolution.weight": (4, 12, 5), "convolution.bias": (4,)}
        | norm("highest", 4)
        | linear("types", 5, 4)
    )


def minilm_weights():
    kinds = {"word": 7, "position": 5, "token_type": 2}
    shapes = {f"embeddings.{kind}_embeddings.weight": (n, 6) for kind, n in kinds.items()}
    shapes |= norm("embeddings.LayerNorm", 6)
    for layer in range(2):
        at = f"encoder.layer.{layer}."
        for of in ("self.query", "self.key", "self.value", "output.dense"):
            shapes |= linear(f"{at}attention.{of}", 6, 6)
        shapes |= norm(f"{at}attention.output.LayerNorm", 6) | norm(f"{at}output.LayerNorm", 6)
        shapes |= linear(f"{at}intermediate.dense", 5, 6) | linear(f"{at}output.dense", 6, 5)
    weights = drawn(shapes)
    for kind in kinds:  # so small that what is added to the variance shows
        weights[f"embeddings.{kind}_embeddings.weight"] *= 1e-6
    return weights


def whisper_weights(seed=46):
    shapes = {
        "encoder/conv1.weight": (4, 3, 3),
        "encoder/conv1.bias": (4,),
        "encoder/conv2.weight": (4, 4, 3),
        "encoder/conv2.bias": (4,),
        "encoder/position_encodings/encodings": (4, 4),
        "decoder/position_encodings/encodings": (9, 4),
        "decoder/embeddings.weight": (7, 4),
    }
    for part in ("encoder", "decoder"):
        shapes |= norm(f"{part}/layer_norm", 4)
        for layer in range(2):
            at = f"{part}/layer_{layer}"
            for name in ("self_attention", "ffn", "attention")[: 2 + (part == "decoder")]:
                shapes |= norm(f"{at}/{name}/layer_norm", 4)
            shapes |= linear(f"{at}/self_attention/linear_0", 12, 4)
            shapes |= linear(f"{at}/self_attention/linear_1", 4, 4)
            shapes |= linear(f"{at}/ffn/linear_0", 5, 4) | linear(f"{at}/ffn/linear_1", 4, 5)
            if part == "decoder":
                for number, outputs in enumerate((4, 8, 4)):
                    shapes |= linear(f"{at}/attention/linear_{number}", outputs, 4)
    weights = drawn(shapes, seed)
    # tied, as in the file: the same array under a second name
    return weights | {"decoder/projection.weight": weights["decoder/embeddings.weight"]}


BYTES = np.array([0, 8, 3, 3, 1, 7, 5, 2, 6, 4, 8, 8, 0, 1, 1, 2, 5, 7, 6, 6, 3, 4, 2, 8])
TOKENS = np.array([[0, 3, 6, 6], [2, 1, 0, 5], [4, 4, 4, 4]])
SOUND, SAID = np.random.default_rng(46).normal(size=(3, 8)), [0, 3, 1, 6, 0]


def magika(network):
    return network(BYTES)


def minilm(network):
    return network(TOKENS)


def whisper(network):
    sound = SOUND.astype(network.weights["encoder/conv1.bias"].dtype)
    return network.scores(SAID, network.listen(sound))


def slow_magika(weights, forms):
    return slow.magika(slow.plain(weights), BYTES.tolist(), forms)


def slow_minilm(weights, forms):
    return [slow.bert(slow.plain(weights), text, forms, 2) for text in TOKENS.tolist()]


def slow_whisper(weights, forms, tokens=SAID):
    return slow.whisper(slow.plain(weights), SOUND.tolist(), tokens, forms, 2, 2)


KINDS = {
    "Magika": (models.Magika, magika_weights(), magika, slow_magika),
    "MiniLM": (MiniLM, minilm_weights(), minilm, slow_minilm),
    "Whisper": (Whisper, whisper_weights(), whisper, slow_whisper),
}
each = pytest.mark.parametrize("name", KINDS)


def scales(kind):
    """Another form for each site."""
    return [1 + site / 2 for site in range(len(kind.sites))]


@pytest.fixture(scope="module")
def expected():
    """The outputs of the slow loops, and what went into each site."""
    found = {}
    for name, (kind, weights, _, slowly) in KINDS.items():
        inputs = [[] for _ in kind.sites]

        def form(scale, seen):
            return lambda x: seen.append(x) or slow.sigmoid(scale)(x)

        forms = [form(*pair) for pair in zip(scales(kind), inputs, strict=True)]
        found[name] = np.array(slowly(weights, forms)), inputs
    return found


def outputs(name, weights=None, forms=None, watch=None, dtype=np.float64):
    kind, own, ask, _ = KINDS[name]
    forms = forms or [models.sigmoid(scale) for scale in scales(kind)]
    weights = {name: array.astype(dtype) for name, array in (weights or own).items()}
    return ask(kind(weights, forms, watch))


def off(name, expected, **changed):
    return abs(outputs(name, **changed) - expected[name][0]).max()


# --- the networks against the loops


@each
def test_a_network_gives_what_the_slow_loop_gives(name, expected):
    assert expected[name][0].std() > 0.1
    assert off(name, expected) < FINE


@each
def test_one_form_stands_for_all_sites(name):
    kind, weights, ask, slowly = KINDS[name]
    exact = slowly(weights, [lambda x: x * (1 + math.erf(x / math.sqrt(2))) / 2] * len(kind.sites))
    assert abs(ask(kind(weights, models.exact)) - exact).max() < FINE


@each
def test_each_site_is_seen_once_in_order_with_its_inputs(name, expected):
    order, seen = [], {}

    def watch(site, x):
        order.append(site)
        seen[site] = x.copy()

    outputs(name, watch=watch)
    assert order == list(range(len(KINDS[name][0].sites)))
    for site, inputs in enumerate(expected[name][1]):
        given = np.sort(seen[site], axis=None)
        assert given == pytest.approx(np.sort(inputs), rel=0, abs=1e-11), site


@each
def test_two_sites_exchanged_are_found(name, expected):
    kind = KINDS[name][0]
    for site in range(len(kind.sites) - 1):
        forms = [models.sigmoid(scale) for scale in scales(kind)]
        forms[site : site + 2] = forms[site + 1], forms[site]
        assert off(name, expected, forms=forms) > CLEAR, site


@each
def test_one_weight_changed_is_found_in_each_array(name, expected):
    for of, array in KINDS[name][1].items():
        if of.endswith("self.key.bias"):  # the same for all places, which softmax takes away
            continue
        changed = array.copy()
        # of a bias the last, since that of a key has no effect; of a table its first row
        changed.flat[-1 if array.ndim == 1 else 0] += 0.01 * abs(array).max()
        assert off(name, expected, weights=KINDS[name][1] | {of: changed}) > CLEAR, of


@each
def test_what_is_added_to_a_variance_is_found(name, expected, monkeypatch):
    kind = KINDS[name][0]
    monkeypatch.setattr(kind, "SMALL", 2 * kind.SMALL)
    assert off(name, expected) > CLEAR


@pytest.mark.parametrize("name", ["MiniLM", "Whisper"])
def test_another_number_of_heads_is_found(name, expected, monkeypatch):
    monkeypatch.setattr(KINDS[name][0], "HEADS", 1)
    assert off(name, expected) > CLEAR


def test_a_decoder_that_looks_ahead_is_found(expected, monkeypatch):
    attention = models.attention
    monkeypatch.setattr(models, "attention", lambda *given: attention(*given[:4]))
    wrong = outputs("Whisper") - expected["Whisper"][0]
    assert abs(wrong[:-1]).max() > CLEAR
    assert abs(wrong[-1]).max() > CLEAR  # by the second layer


@each
def test_float32_stays_float32_and_is_near(name, expected):
    types = set()
    forms = [models.exact, models.tanh(), models.relu, models.in_float16(models.exact)]
    for form in [None, *forms]:
        found = outputs(
            name,
            forms=form and [form] * len(KINDS[name][0].sites),
            watch=lambda _, x: types.add(x.dtype),
            dtype=np.float32,
        )
        types.add(found.dtype)
        if form is None:
            near = abs(found - expected[name][0]).max()
            assert FINE < near < 1e-4 * abs(expected[name][0]).max()
    assert types == {np.dtype(np.float32)}


# --- what Whisper says


def allowed(scores, place):
    """Some tokens may not begin, and one may never come."""
    found = scores.copy()
    found[:, [2, *([5, 6] if place == 0 else [])]] = -np.inf
    return found


@pytest.mark.parametrize("cuts", [(5,), (2, 3, 4, 5), (1, 4, 5)])
def test_a_cache_changes_nothing(cuts, expected):
    kind, weights, _, _ = KINDS["Whisper"]
    network = kind(weights, [models.sigmoid(scale) for scale in scales(kind)])
    heard, cache = network.listen(SOUND), {}
    parts = [
        network.scores(SAID[start:stop], heard, cache)
        for start, stop in zip((0, *cuts), cuts, strict=False)
    ]
    assert abs(np.concatenate(parts) - expected["Whisper"][0]).max() < FINE
    assert len(cache[0][0]) == len(cache[1][1]) == len(SAID)


def slowly_said(weights):
    """The likeliest of the allowed tokens, everything computed anew for each."""
    said = []
    while len(said) < Whisper.LONGEST and Whisper.END not in said:
        given = [*Whisper.START, *said]
        last = slow_whisper(weights, [slow.sigmoid(1.5)] * 6, given)[-1]
        refused = {2} if said else {2, 5, 6}
        said.append(max((score, i) for i, score in enumerate(last) if i not in refused)[1])
    return said


@pytest.mark.parametrize(("seed", "tokens"), [(0, 2), (9, 4), (6, 6), (10, 6)])
def test_a_transcript_is_the_likeliest_that_is_allowed_up_to_the_end(seed, tokens):
    weights = whisper_weights(seed)
    network = Whisper(weights, models.sigmoid(1.5))
    heard = network.listen(SOUND)
    said = network.transcript(heard, allowed)
    assert said == slowly_said(weights)
    assert len(said) == tokens and (said[-1] == Whisper.END) == (tokens < Whisper.LONGEST)
    if seed > 6:
        assert network.transcript(heard, lambda scores, _: scores) != said


# --- forms and roundings


def test_the_forms_are_what_they_are_called():
    x = np.linspace(-9, 9, 73)
    for form, scalar in {
        models.exact: lambda v: v * math.erfc(-v / math.sqrt(2)) / 2,
        models.tanh(): lambda v: (
            v * (1 + math.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v**3))) / 2
        ),
        models.tanh(0.03, 0.9): lambda v: v * (1 + math.tanh(0.9 * (v + 0.03 * v**3))) / 2,
        models.sigmoid(1.702): slow.sigmoid(1.702),
        models.relu: lambda v: max(v, 0),
    }.items():
        assert form(x) == pytest.approx([scalar(v) for v in x], rel=1e-13, abs=1e-15)
        assert form(x.astype(np.float32)).dtype == np.float32
    rounded = models.in_float16(models.exact)(np.float32([1.0003, 0.1]))
    inner = np.float16([1.0003, 0.1]).astype(np.float32)
    assert (
        rounded.tolist() == np.float16(models.exact(inner)).tolist() != models.exact(inner).tolist()
    )


def test_the_table_rounds_to_float16_up_to_10_and_is_exact_beyond():
    x = np.array([-40, -10, -9.99, -1.0003, 0.1, 9.9921875, 10, 10.001])
    inner = np.float16(x).astype(float)
    wanted = np.float16(models.tanh()(inner)).astype(float)
    wanted[[0, 1, 6, 7]] = 0, 0, 10, 10.001
    assert models.table(x).tolist() == wanted.tolist()
    assert models.table(x.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_roundings_are_to_the_bits_that_they_name(dtype):
    x = np.array([[1 + 2**-11, 3.0, -127.0], [0, 0, 0], [0.6, -0.254, 0.1]], dtype)
    assert models.to_float16(x)[0, 0] == 1 and models.to_float16(x)[0, 2] == -127
    assert models.to_bfloat16(np.array([1 + 2**-8, 1 + 3 * 2**-8], dtype)).tolist() == [
        1,
        1 + 2**-6,
    ]
    found = models.to_int8(x)
    steps = [1, 0, 0.6 / 127]
    for row, given, step in zip(found, x, steps, strict=True):
        wanted = [round(float(v) / step) * step if step else 0 for v in given]
        assert row.tolist() == pytest.approx(wanted, rel=1e-6)
        assert len({abs(v) for v in row}) <= 128
    assert models.to_int8(x[0]).tolist() == x[0].tolist()  # no matrix
    cube = models.to_int8(x.reshape(3, 3, 1))
    assert cube.ravel().tolist() == found.ravel().tolist()
    types = {each(x).dtype for each in (models.to_float16, models.to_bfloat16, models.to_int8)}
    assert types == {np.dtype(dtype)}
