import { hueOf } from "./lanes.js";
import type { ChannelLook, Look } from "./look.js";
import { rateText, type Rates } from "./rates.js";

export function showFigures(look: Look, rates: Rates): void {
  const figures: Record<string, string> = {
    connections: look.connections.toLocaleString("en"),
    channels: look.channelsInAll.toLocaleString("en"),
    members: look.membersInAll.toLocaleString("en"),
    leaders: look.leadersInAll.toLocaleString("en"),
    received: `${rateText(rates.received)}/s`,
    delivered: `${rateText(rates.delivered)}/s`,
    refused: look.refused.toLocaleString("en"),
  };
  for (const [id, text] of Object.entries(figures)) {
    const shown = document.getElementById(`figure-${id}`);
    if (shown !== null && shown.textContent !== text) shown.textContent = text;
  }
}

export function showChannels(list: HTMLElement, look: Look): void {
  const rows = look.channels.map(channelRow);
  const more = look.channelsInAll - look.channels.length;
  if (more > 0) rows.push(note(`and ${more.toLocaleString("en")} more, with fewer members`));
  if (rows.length === 0) rows.push(note("No channels yet. They come with the first client that attaches."));
  list.replaceChildren(...rows);
}

export function showRefusals(list: HTMLElement, look: Look): void {
  const rows = [...look.refusals].reverse().map((refusal) => {
    const row = create("li", "refusal");
    row.append(
      create("time", "when", new Date(refusal.at).toLocaleTimeString("en-GB")),
      create("span", "code", String(refusal.code)),
      create("span", "who", refusal.client ?? "–"),
      create("span", "sentence", refusal.sentence),
    );
    return row;
  });
  list.replaceChildren(...(rows.length === 0 ? [note("Nobody was refused anything.")] : rows));
}

function channelRow(channel: ChannelLook): HTMLElement {
  const row = create("li", "channel");
  const head = create("div", "head");
  head.append(create("strong", "name", channel.name));
  if (channel.leader === undefined) head.append(create("span", "nobody", "nobody leads"));
  else head.append(chip(channel.leader.id, true), create("span", "term", `term ${channel.leader.term}`));
  head.append(create("span", "attached", `${channel.attachments} attached`));
  const members = create("div", "members");
  for (const member of channel.members) members.append(chip(member.id, member.leads));
  const more = channel.membersInAll - channel.members.length;
  if (more > 0) members.append(create("span", "more", `and ${more} more`));
  row.append(head, members);
  return row;
}

function chip(id: string, leads: boolean): HTMLElement {
  const made = create("span", leads ? "chip leads" : "chip", id);
  made.style.setProperty("--hue", String(hueOf(id)));
  return made;
}

function note(text: string): HTMLElement {
  return create("li", "note", text);
}

/** Ids and sentences are other people's words: they are only ever set as text. */
function create(tag: string, className: string, text?: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}
