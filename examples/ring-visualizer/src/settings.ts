/** The settings that the visitor has chosen in the fields of the page. */
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

/**
 * Converts settings to a query for the server. The query omits unused values, so that the server cannot
 * reject them.
 */
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

/** Reads settings from a link to this page. A missing or invalid value is replaced with its default. */
export function fromLink(hash: string): Settings {
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  const order = params.get("order") ?? USUAL.order;
  const isList = order.includes(",");
  const n = isList ? order.split(",").length : whole(params.get("n"), USUAL.n);
  return {
    n,
    order: isList ? "list" : order === "best" || order === "worst" ? order : "random",
    list: isList ? order : "",
    algorithm: params.get("algorithm") === "peterson" ? "peterson" : "chang-roberts",
    fault: FAULTS.includes(params.get("fault") ?? "") ? params.get("fault")! : "none",
    who: whole(params.get("who"), n),
    when: whole(params.get("when"), Math.max(1, Math.floor(n / 2))),
    seed: whole(params.get("seed"), USUAL.seed),
  };
}

const FAULTS: readonly string[] = ["none", "lost", "crash", "killed", "cut", "split"];

function whole(text: string | null, usual: number): number {
  return text !== null && /^[0-9]{1,9}$/.test(text) ? Number(text) : usual;
}
