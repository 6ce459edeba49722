/** Throws if the value is no integer in these bounds. */
export function within(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name} is ${value}, but must be an integer from ${min} to ${max}`);
  }
}
