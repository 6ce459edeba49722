/** The common part of the pages that `src/crowd.ts` opens at once. */
const params = new URLSearchParams(location.search);

export const options = {
  key: params.get("key") ?? "",
  endpoint: "localhost",
  port: Number(params.get("port")),
  tls: false,
};

const page = globalThis as { seen?: Promise<number> };
let resolve: (millis: number) => void;
page.seen = new Promise((resolved) => (resolve = resolved));

/** Resolves the page's global promise `seen` with the time, if this is the first leader that the page sees. */
export function leaderSeen(): void {
  resolve(Date.now());
}
