/** A vector as its file has it: one step a line, so that a difference reads like a story. */
export function print(vector: { readonly steps: readonly unknown[] }): string {
  const { steps, ...head } = vector;
  const open = JSON.stringify(head, null, 2).replace(/\n\}$/, ',\n  "steps": [');
  return `${open}\n${steps.map((one) => `    ${JSON.stringify(one)}`).join(",\n")}\n  ]\n}\n`;
}
