import type { ChannelSnapshot, HubSnapshot } from "./snapshot.js";

/** The time after the last key press until the page searches, in milliseconds. */
const TYPING_MILLIS = 300;

/** The fields in which the user searches for channels and members. */
export class ChannelFilter {
  private readonly form: HTMLFormElement;
  private timer = 0;

  /** @param changed the callback that is called after the user has changed a field */
  constructor(form: HTMLFormElement, changed: () => void) {
    this.form = form;
    const soon = (millis: number): void => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(changed, millis);
    };
    form.addEventListener("input", () => soon(TYPING_MILLIS));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      soon(0);
    });
  }

  /** The filter as the query of /console/events; empty if the user sees all channels. */
  get query(): string {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(this.form)) {
      const text = String(value).trim();
      if (text !== "" && !(name === "show" && text === "all")) query.set(name, text);
    }
    return query.toString();
  }
}

/** Describes how many channels the page shows, and how many it does not show. */
export function channelsText(snapshot: HubSnapshot, filtered: boolean): string {
  const { channels, channelsFound, channelsInAll, membersUnsearched = 0 } = snapshot;
  const unsearched = count(membersUnsearched);
  return [
    shownText("channel", channels.length, channelsFound, filtered ? channelsInAll : channelsFound),
    ...(channels.length < channelsFound ? ["Search to see the others."] : []),
    ...(membersUnsearched === 0 ? [] : [`${unsearched} members were not searched. Enter a channel to search in it.`]),
  ].join(" ");
}

/** Describes how many members of a channel the page shows; empty if it shows all of them. */
export function membersText({ members, membersFound, membersInAll }: ChannelSnapshot): string {
  return members.length === membersInAll ? "" : shownText("member", members.length, membersFound, membersInAll);
}

function shownText(what: string, shown: number, found: number, all: number): string {
  const matching = found < all ? "matching " : "";
  const inAll = found < all ? `, ${count(all)} in all` : "";
  return `${count(shown)} of ${count(found)} ${matching}${what}${found === 1 ? "" : "s"} shown${inAll}.`;
}

function count(n: number): string {
  return n.toLocaleString("en");
}
