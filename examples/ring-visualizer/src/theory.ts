/** A theoretical number of messages that n members need to find the winner. Elected messages are not counted. */
export interface Mark {
  readonly name: string;
  readonly formula: string;
  readonly value: number;
}

export function harmonic(n: number): number {
  let sum = 0;
  for (let k = 1; k <= n; k++) sum += 1 / k;
  return sum;
}

export function marks(algorithm: "chang-roberts" | "peterson", n: number): readonly Mark[] {
  if (n < 2) return [];
  const mean = { name: "mean", formula: "n·H(n)", value: n * harmonic(n) };
  const nLgN = { name: "", formula: "n lg n", value: n * Math.log2(n) };
  if (algorithm === "peterson") {
    return [
      { ...mean, name: "C-R mean" },
      nLgN,
      { name: "least", formula: "3n", value: 3 * n },
      { name: "most", formula: "2n⌊lg n⌋+n", value: 2 * n * Math.floor(Math.log2(n)) + n },
    ];
  }
  return [
    { name: "least", formula: "2n−1", value: 2 * n - 1 },
    mean,
    nLgN,
    { name: "most", formula: "n(n+1)/2", value: (n * (n + 1)) / 2 },
  ];
}

/** Formats a number with at most one decimal. */
export function figure(value: number): string {
  return Number.isInteger(value)
    ? value.toLocaleString("en")
    : value.toLocaleString("en", { maximumFractionDigits: 1 });
}
