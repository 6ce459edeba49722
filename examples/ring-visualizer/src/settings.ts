/** The chosen settings, as in the fields of the page. */
export interface Settings {
  readonly n: number;
  readonly order: "random" | "best" | "worst" | "list";
  readonly list: string;
  readonly algorithm: "chang-roberts" | "peterson";
  readonly fault: string;
  readonly who: number;
  readonly when: number;
  readonly seed: number;
}

export const USUAL: Settings = {
  n: 8,
  order: "random",
  list: "",
  algorithm: "chang-roberts",
  fault: "none",
  who: 8,
  when: 4,
  seed: 1,
};

/** Converts settings to the server's query. It omits unused values, so that the server cannot reject them. */
export function query(settings: Settings): URLSearchParams {
  const query = new URLSearchParams();
  if (settings.order === "list") query.set("order", settings.list.replaceAll(/[\s,;]+/g, ",").replace(/^,|,$/g, ""));
  else {
    query.set("n", String(settings.n));
    query.set("order", settings.order);
  }
  query.set("algorithm", settings.algorithm);
  query.set("fault", settings.fault);
  if (settings.fault === "crash") query.set("who", String(settings.who));
  if (settings.fault === "crash" || settings.fault === "lost") query.set("when", String(settings.when));
  query.set("seed", String(settings.seed));
  return query;
}

/** Reads settings from a link to this page. A missing or invalid value gets its default. */
export function fromLink(hash: string): Settings {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const order = said.get("order") ?? USUAL.order;
  const isList = order.includes(",");
  const n = isList ? order.split(",").length : whole(said.get("n"), USUAL.n);
  return {
    n,
    order: isList ? "list" : order === "best" || order === "worst" ? order : "random",
    list: isList ? order : "",
    algorithm: said.get("algorithm") === "peterson" ? "peterson" : "chang-roberts",
    fault: FAULTS.includes(said.get("fault") ?? "") ? said.get("fault")! : "none",
    who: whole(said.get("who"), n),
    when: whole(said.get("when"), Math.max(1, Math.floor(n / 2))),
    seed: whole(said.get("seed"), USUAL.seed),
  };
}

const FAULTS: readonly string[] = ["none", "lost", "crash", "killed", "cut", "split"];

function whole(text: string | null, usual: number): number {
  return text !== null && /^[0-9]{1,9}$/.test(text) ? Number(text) : usual;
}
