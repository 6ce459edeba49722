/** Words for names that are easy to distinguish. The random part of an id makes the id unique. */
const QUALITIES =
  "amber bold brisk calm clear coral deft early fond glad hazel ivory keen lunar mellow noble opal quiet rapid ruby sage solar stout swift tidal tawny umber vivid warm wise young zesty".split(
    " ",
  );
const ANIMALS =
  "badger bear crane deer dove eagle falcon finch fox hare heron ibis jay kite lark lynx marten mole moth newt orca otter owl puffin raven robin seal shrew stoat swan tern wren".split(
    " ",
  );

/** Returns a new client id, which consists of two words and 64 random bits. */
export function newClientId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  const quality = QUALITIES[(bytes[8] ?? 0) % QUALITIES.length];
  const animal = ANIMALS[(bytes[9] ?? 0) % ANIMALS.length];
  const random = Array.from(bytes.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${quality}-${animal}-${random}`;
}
