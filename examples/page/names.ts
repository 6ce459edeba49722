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

/** Returns the readable part of an id. The ids of other programs are only shortened. */
export function displayName(id: string): string {
  const own = /^([a-z]+)-([a-z]+)-[0-9a-f]{16}$/.exec(id);
  if (own !== null) return `${own[1]} ${own[2]}`;
  return id.length > 18 ? `${id.slice(0, 17)}…` : id;
}

/** Hues that are easy to distinguish, in degrees of OKLCH. The hue of gold is reserved for the crown. */
const HUES = [20, 45, 125, 150, 180, 210, 240, 265, 295, 325, 350];

const given = new Map<string, number>();

/**
 * Returns the hue of an id. A hash of the id selects the hue, so pages usually show the same hue for the same id. If
 * another id on this page already has the hue, this id gets the next free hue.
 */
export function hueOf(id: string): number {
  const known = given.get(id);
  if (known !== undefined) return known;
  if (given.size >= HUES.length) given.clear();
  const taken = new Set(given.values());
  const start = hash(id) % HUES.length;
  const hue = HUES.map((_, i) => HUES[(start + i) % HUES.length] ?? 0).find((free) => !taken.has(free)) ?? 0;
  given.set(id, hue);
  return hue;
}

function hash(text: string): number {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
