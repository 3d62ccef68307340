"""What ``record_networks.py`` does with a network: train it, look into it, exchange its form.

Whatever is compared is evaluated in float64, on the same validation data in a fixed order, so that
no difference comes from the rounding or from the choice of the data: all pictures that were kept,
and windows of the text that was kept. Training is in float32.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from network_models import TASKS, Form, activations, forms, is_rounded, use
from torch import Tensor, nn
from torch.nn import functional

ORDER, TUNING_ORDER = 1_000_000, 2_000_000
"""What is added to the seed of a network for the order of its data, and of those of fine-tuning."""
CHUNK = 64
"""So many windows or images are evaluated at once."""
EDGES = np.linspace(-12, 12, 769)
"""The edges of the bins for inputs of activations."""


@dataclass(frozen=True)
class Plan:
    """How one kind of network is trained and compared.

    Attributes:
        task: the arguments of its class in ``TASKS``.
        steps: of training.
        rate: the highest learning rate of AdamW; it rises to it and falls to a tenth.
        rising: for so many steps.
        decay: the weight decay of AdamW.
        looked_at: after which steps of training one looks into the network, if one does.
        tuned_to: after which steps of fine-tuning the loss is taken.
    """

    task: Mapping
    steps: int
    rate: float
    rising: int
    decay: float
    looked_at: tuple[int, ...]
    tuned_to: tuple[int, ...]

    def rate_at(self, step: int) -> float:
        """The learning rate of a step of training."""
        if step < self.rising:
            return self.rate * (step + 1) / self.rising
        done = (step - self.rising) / (self.steps - self.rising)
        return self.rate * (0.1 + 0.45 * (1 + math.cos(math.pi * done)))


@dataclass(frozen=True)
class Arm:
    """One way to train a network.

    Attributes:
        form: the activation, a name of ``forms``.
        moved: whether each initial weight is moved by about one part in ten million.
        faster: the factor of the learning rate.
        narrow: whether PyTorch's autocast computes the forward pass in bfloat16, where it does so:
            products of matrices, so the inputs of the activations, and what follows from those.
    """

    form: str
    moved: bool = False
    faster: float = 1.0
    narrow: bool = False


def device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def prepare() -> None:
    """One thread, and nothing but deterministic algorithms."""
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)


def task_of(kind: str, plan: Plan):
    return TASKS[kind](**plan.task)


# --- training


def train(
    task, plan: Plan, arm: Arm, seed: int, look: Callable | None = None
) -> tuple[nn.Module, dict[str, Any]]:
    """Train a network.

    The seed decides on the initial weights and on the order of the data, whatever the arm is.

    Args:
        look: what finds something of a network and its task, and leaves both as they were.

    Returns:
        The network, and for each step of ``looked_at`` what was found, by the step.
    """
    torch.manual_seed(seed)
    network = task.network()
    if arm.moved:
        move(network, seed)
    network.to(device())
    use(network, forms()[arm.form])
    optimiser = torch.optim.AdamW(network.parameters(), weight_decay=plan.decay)
    order, seen = torch.Generator().manual_seed(seed + ORDER), {}
    for step in range(plan.steps + 1):
        if look and step in plan.looked_at:
            seen[str(step)] = look(network, task)
        if step < plan.steps:
            rate = arm.faster * plan.rate_at(step)
            learn(network, optimiser, task.draw(order), rate, arm.narrow)
    return network, seen


def move(network: nn.Module, seed: int) -> None:
    """Move each weight up or down by one part in 2²³, the precision of float32."""
    signs = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weights in network.parameters():
            up = torch.randint(2, weights.shape, generator=signs) * 2 - 1
            weights.mul_(1 + up * 2.0**-23)


def learn(
    network: nn.Module, optimiser, batch: tuple[Tensor, Tensor], rate: float, narrow: bool = False
) -> None:
    """One step of AdamW; the weights, their slopes' sums and its moments are float32."""
    for group in optimiser.param_groups:
        group["lr"] = rate
    given, answers = (part.to(device()) for part in batch)
    optimiser.zero_grad()
    with torch.autocast(device().type, torch.bfloat16, enabled=narrow):
        scores = network(given)
    loss_of(scores.float(), answers).backward()
    nn.utils.clip_grad_norm_(network.parameters(), 1.0)
    optimiser.step()


def loss_of(scores: Tensor, answers: Tensor, reduction: str = "mean") -> Tensor:
    return functional.cross_entropy(scores.flatten(0, -2), answers.flatten(), reduction=reduction)


# --- evaluation


def double(network: nn.Module) -> nn.Module:
    """A copy in float64."""
    return copy.deepcopy(network).double()


def validation(task, dtype: torch.dtype) -> Iterator[tuple[Tensor, Tensor]]:
    """The validation data in chunks; images are converted to the type of the network."""
    for given, answers in zip(*(part.split(CHUNK) for part in task.validation), strict=True):
        converted = given.to(dtype) if given.is_floating_point() else given
        yield converted.to(device()), answers.to(device())


@torch.no_grad()
def log_odds(network: nn.Module, task) -> Tensor:
    """The logarithm of each probability that a network gives, for each place and each answer."""
    dtype = next(network.parameters()).dtype
    scores = [network(given).flatten(0, -2).double() for given, _ in validation(task, dtype)]
    return torch.cat(scores).log_softmax(-1)


def judged(found: Tensor, task) -> dict[str, float]:
    """Loss and accuracy of a network, from its logarithms of probabilities."""
    answers = task.validation[1].flatten().to(found.device)
    return {
        "loss": float(functional.nll_loss(found, answers)),
        "accuracy": float((found.argmax(-1) == answers).double().mean()),
    }


def compared(found: Tensor, before: Tensor, task) -> dict[str, float]:
    """What changed from one network to another, on the same data."""
    new, old = judged(found, task), judged(before, task)
    return {
        **{name: new[name] - old[name] for name in new},
        "changed": float((found.argmax(-1) != before.argmax(-1)).double().mean()),
        "divergence": float((before.exp() * (before - found)).sum(-1).mean()),
    }


@torch.no_grad()
def reached(network: nn.Module, task) -> tuple[list[np.ndarray], float]:
    """The inputs of each activation on the validation data, and the loss there."""
    wide, seen = double(network), []
    for part in activations(wide):
        part.register_forward_hook(lambda part, given, _: seen.append((part, given[0].cpu())))
    loss = judged(log_odds(wide, task), task)["loss"]
    chunks = ([x.flatten() for part, x in seen if part is one] for one in activations(wide))
    return [torch.cat(given).numpy() for given in chunks], loss


def inputs(network: nn.Module, task) -> list[dict]:
    """For each activation how its inputs are spread on the validation data."""
    return [spread(x) for x in reached(network, task)[0]]


def spread(x: np.ndarray) -> dict:
    """How many numbers lie in each bin, how many below and above, their mean and deviation."""
    counts, _ = np.histogram(x, EDGES)
    return {
        "mean": float(x.mean()),
        "sd": float(x.std()),
        "below": int((x < EDGES[0]).sum()),
        "above": int((x > EDGES[-1]).sum()),
        "counts": counts.tolist(),
    }


# --- another form in place of the trained one


def swapped(network: nn.Module, task, trained: str, others: list[str]) -> dict[str, dict]:
    """For each form in the place of the trained one: what changes, and what was foreseen."""
    wide, known = double(network), forms()
    use(wide, known[trained])
    before, found = log_odds(wide, task), {}
    for other in others:
        use(wide, known[other])
        changes = compared(log_odds(wide, task), before, task)
        found[other] = {**changes, **foreseen(wide, task, known[trained], known[other], other)}
    return found


def foreseen(network: nn.Module, task, before: Form, after: Form, name: str) -> dict:
    """The first two terms of the change of the loss, if the form moves from one to the other.

    With f + ε·(g − f) in layer i, the derivative of the loss by ε at 0 is the sum over all units
    of the layer of the mean of (slope of the loss by the unit) · (error g − f at its input). That
    is the first term, layer by layer; the second is half of all second derivatives together.
    A form that rounds has no second term.
    """
    parts = activations(network)
    weights = torch.zeros(len(parts), dtype=torch.float64, device=device(), requires_grad=True)
    for i, part in enumerate(parts):
        part.form = _between(before, after, weights, i, detached=is_rounded(name))
    first, second = torch.zeros(len(parts), dtype=torch.float64), 0.0
    places = task.validation[1].numel()
    for given, answers in validation(task, torch.float64):
        loss = loss_of(network(given), answers, "sum") / places
        (slopes,) = torch.autograd.grad(loss, weights, create_graph=not is_rounded(name))
        first += slopes.detach().cpu()
        if not is_rounded(name):
            (bend,) = torch.autograd.grad(slopes.sum(), weights)
            second += float(bend.sum()) / 2
    return {"first": first.tolist()} | ({} if is_rounded(name) else {"second": second})


def _between(before: Form, after: Form, weights: Tensor, i: int, detached: bool) -> Form:
    def form(x: Tensor) -> Tensor:
        error = after(x) - before(x)
        return before(x) + weights[i] * (error.detach() if detached else error)

    return form


def narrowed(network: nn.Module, task, trained: str) -> dict[str, dict]:
    """What changes if the whole network is computed in a type of 16 bits."""
    use(network, forms()[trained])
    before, found = log_odds(double(network), task), {}
    for name in ("float16", "bfloat16"):
        narrow = copy.deepcopy(network).to(getattr(torch, name))
        found[name] = compared(log_odds(narrow, task), before, task)
    return found


def tuned(network: nn.Module, task, plan: Plan, form: str, seed: int) -> list[float]:
    """The loss after each number of steps of ``tuned_to``, with a form that was put in.

    The learning rate is the last one of the training, and stays; AdamW begins anew.
    """
    use(network, forms()[form])
    optimiser = torch.optim.AdamW(network.parameters(), weight_decay=plan.decay)
    order, losses = torch.Generator().manual_seed(seed + TUNING_ORDER), []
    for step in range(plan.tuned_to[-1] + 1):
        if step in plan.tuned_to:
            losses.append(judged(log_odds(double(network), task), task)["loss"])
        learn(network, optimiser, task.draw(order), plan.rate_at(plan.steps))
    return losses
