"""Fits and scores: logistic heads, kernel machines, calibration, thresholds, cross-validation; all deterministic."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from novaberg.models.perceiver.features import kernel, sigmoid

Array = NDArray[np.float32]


def fit_logistic(rows, labels: Array, *, penalty: float, steps: int) -> tuple[Array, Array]:
    """One logistic regression a column, all at once; ``rows`` dense or sparse. Weights (d, k) and biases (k,)."""
    count, labels = rows.shape[1], labels.astype(np.float32)
    turned = rows.T.tocsr() if hasattr(rows, "tocsr") else rows.T
    rate = np.clip(labels.mean(axis=0), 1e-4, 1 - 1e-4)
    start = np.zeros((count + 1, labels.shape[1]), dtype=np.float32)
    start[count] = np.log(rate / (1 - rate))

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = flat.reshape(start.shape).astype(np.float32)
        logits = rows @ weights[:count] + weights[count]
        value = (np.logaddexp(0, logits) - labels * logits).sum(dtype=np.float64)
        value += 0.5 * penalty * float((weights[:count] ** 2).sum(dtype=np.float64))
        wrong = sigmoid(logits) - labels
        gradient = np.empty_like(weights)
        gradient[:count] = turned @ wrong + penalty * weights[:count]
        gradient[count] = wrong.sum(axis=0)
        return value, gradient.ravel().astype(np.float64)

    found = minimize(
        loss, start.ravel().astype(np.float64), jac=True, method="L-BFGS-B", options={"maxiter": steps}
    )
    weights = found.x.reshape(start.shape).astype(np.float32)
    return weights[:count], weights[count]


def fit_machine(
    rows: Array, targets: Array, *, ridge: float, weight: Array | None = None
) -> tuple[Array, Array]:
    """Kernel ridge regression: shares (n, k) and offsets (k,). ``weight`` makes rows count more or less."""
    offset = targets.mean(axis=0)
    penalty = np.full(len(rows), ridge) if weight is None else ridge / weight
    matrix = kernel(rows, rows).astype(np.float64) + np.diag(penalty)
    return np.linalg.solve(matrix, (targets - offset).astype(np.float64)).astype(np.float32), offset


def folds(count: int, parts: int, seed: int = 0) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """(train, held out) row numbers of each part."""
    pieces = np.array_split(np.random.RandomState(seed).permutation(count), parts)
    for held in range(parts):
        yield np.concatenate([piece for number, piece in enumerate(pieces) if number != held]), pieces[held]


def out_of_fold(
    count: int,
    width: int,
    fit_and_judge: Callable[[NDArray[np.int64], NDArray[np.int64]], Array],
    *,
    parts: int = 5,
    seed: int = 0,
) -> Array:
    """What models say about rows that they were not fitted on."""
    result = np.zeros((count, width), dtype=np.float32)
    for train, held in folds(count, parts, seed):
        result[held] = fit_and_judge(train, held)
    return result


def platt(scores: Array, labels: Array) -> Array:
    """(m + 1, k): per label the factors of the m scores (n, m, k) and a shift that make them probabilities."""
    columns = []
    for column in range(labels.shape[1]):
        weights, bias = fit_logistic(scores[:, :, column], labels[:, [column]], penalty=1.0, steps=100)
        columns.append(np.concatenate([weights[:, 0], bias]))
    return np.stack(columns, axis=1).astype(np.float32)


def fit_mix(parts: Array, classes: NDArray[np.int64]) -> Array:
    """(p,): the factors on the logits ``parts`` (p, n, k) whose sum makes ``classes`` (n,) most likely."""

    def loss(factors: NDArray[np.float64]) -> float:
        logits = np.einsum("p,pnk->nk", factors, parts.astype(np.float64))
        logits = logits - logits.max(axis=1, keepdims=True)
        chosen = logits[np.arange(len(classes)), classes]
        return float((np.log(np.exp(logits).sum(axis=1)) - chosen).mean())

    found = minimize(
        loss, np.array([4.0, 0.5, 0.5][: len(parts)]), method="Nelder-Mead", options={"maxiter": 400}
    )
    return np.asarray(found.x, dtype=np.float32)


def best_thresholds(scores: Array, labels: Array) -> Array:
    """Per label the cut with the highest F1, the curve smoothed over an eighth as many rows as there are hits."""
    cuts = []
    for column in range(labels.shape[1]):
        order = np.argsort(-scores[:, column], kind="stable")
        hits = np.cumsum(labels[order, column] > 0)
        curve = 2 * hits / (np.arange(1, len(order) + 1) + hits[-1])
        width = max(1, int(hits[-1]) // 8)
        smooth = np.convolve(curve, np.ones(width) / width, "valid")
        cuts.append(scores[order[int(np.argmax(smooth)) + width // 2], column])
    return np.array(cuts, dtype=np.float32)


def expected_cuts(chances: Array, _labels: Array) -> Array:
    """Per label the cut with the highest F1 to expect if the chances are true: steadier than a curve of few hits."""
    cuts = []
    for column in range(chances.shape[1]):
        ordered = np.sort(chances[:, column])[::-1]
        curve = 2 * np.cumsum(ordered) / (np.arange(1, len(ordered) + 1) + ordered.sum())
        cuts.append(ordered[int(np.argmax(curve))])
    return np.array(cuts, dtype=np.float32)


def f1_scores(chosen: NDArray[np.bool_], labels: Array) -> NDArray[np.float64]:
    """F1 of each label."""
    truth = labels > 0
    both = (chosen & truth).sum(axis=0)
    return 2 * both / np.maximum(chosen.sum(axis=0) + truth.sum(axis=0), 1)


def honest_f1(
    scores: Array,
    labels: Array,
    *,
    rounds: int = 3,
    find: Callable[[Array, Array], Array] = best_thresholds,
) -> float:
    """Macro-F1 with cuts that were found on other rows, mean over several splits."""
    results = []
    for seed in range(rounds):
        chosen = np.zeros(scores.shape, dtype=bool)
        for train, held in folds(len(scores), 5, seed):
            chosen[held] = scores[held] > find(scores[train], labels[train])
        results.append(f1_scores(chosen, labels).mean())
    return float(np.mean(results))


def calibration_error(
    probability: NDArray[np.floating], truth: NDArray[np.floating], bins: int = 15
) -> float:
    """Expected calibration error over equally wide bins, all entries together."""
    probability, truth = probability.ravel(), (truth > 0).ravel()
    place = np.minimum((probability * bins).astype(int), bins - 1)
    error = 0.0
    for number in range(bins):
        inside = place == number
        if inside.any():
            error += inside.mean() * abs(float(probability[inside].mean()) - float(truth[inside].mean()))
    return error
