import { chip, create, note, commandButton, replaceChildren, showTexts } from "./elements.js";
import { membersText } from "./filter.js";
import { withNames } from "./names.js";
import type { ChannelSnapshot, ElectionSnapshot, HubSnapshot } from "./snapshot.js";
import { othersOf, verbs, type AdminCommand, type Outcome } from "./commands.js";
import { rateText, type Rates } from "./rates.js";
import { inPlainWords } from "./words.js";

export function showFigures(snapshot: HubSnapshot, rates: Rates): void {
  const figures: Record<string, string> = {
    connections: snapshot.connections.toLocaleString("en"),
    channels: snapshot.channelsInAll.toLocaleString("en"),
    members: snapshot.membersInAll.toLocaleString("en"),
    leaders: snapshot.leadersInAll.toLocaleString("en"),
    received: `${rateText(rates.received)}/s`,
    delivered: `${rateText(rates.delivered)}/s`,
    refused: snapshot.refused.toLocaleString("en"),
  };
  showTexts("figure", figures);
}

/**
 * The list that displays the channels.
 *
 * The list replaces only rows that have changed. Otherwise the buttons would be replaced each second, and a click could
 * be lost.
 */
export class ChannelList {
  private readonly list: HTMLElement;
  private readonly onCommand: (command: AdminCommand) => void;
  private rows = new Map<string, HTMLElement>();

  /** @param onCommand the callback that receives the command of a pressed button */
  constructor(list: HTMLElement, onCommand: (command: AdminCommand) => void) {
    this.list = list;
    this.onCommand = onCommand;
  }

  /** @param filtered true if the user searches for channels or members */
  show(snapshot: HubSnapshot, filtered: boolean): void {
    const rows = new Map<string, HTMLElement>();
    for (const channel of snapshot.channels) {
      const content = JSON.stringify(channel);
      rows.set(content, this.rows.get(content) ?? this.row(channel));
    }
    if (rows.size === 0) {
      const none = filtered
        ? "No channel matches the search."
        : "No channels yet. A channel appears when the first client attaches to it.";
      rows.set(none, this.rows.get(none) ?? note(none));
    }
    this.rows = rows;
    const next = [...rows.values()];
    const same = next.length === this.list.children.length && next.every((row, i) => this.list.children[i] === row);
    if (!same) replaceChildren(this.list, next);
  }

  private row(channel: ChannelSnapshot): HTMLElement {
    const row = channelRow(channel);
    for (const election of channel.elections) {
      const alone = election.name === channel.name && channel.elections.length === 1;
      if (channel.maySendCommands || election.paused !== undefined || !alone) {
        row.append(this.election(channel, election, alone));
      }
    }
    return row;
  }

  private election(channel: ChannelSnapshot, election: ElectionSnapshot, alone: boolean): HTMLElement {
    const line = create("div", "election");
    line.dataset["election"] = election.name;
    if (!alone) {
      line.append(create("span", "slot", election.slot));
      if (election.leader === undefined) line.append(create("span", "nobody", "nobody"));
      else line.append(chip(election.leader.id, true), create("span", "term", `term ${election.leader.term}`));
    }
    if (election.paused !== undefined) line.append(create("span", "paused", withNames(election.paused)));
    if (!channel.maySendCommands) return line;
    const buttons = create("span", "commands");
    for (const verb of verbs(election)) {
      const command: AdminCommand = { verb, election, others: othersOf(channel, election), at: "hub" };
      buttons.append(commandButton(command, this.onCommand));
    }
    line.append(buttons);
    return line;
  }
}

export function showOutcome(line: HTMLElement, { done, sentence }: Outcome): void {
  line.className = done ? "outcome done" : "outcome refused";
  line.textContent = sentence;
  line.hidden = false;
}

export function showRefusals(list: HTMLElement, snapshot: HubSnapshot): void {
  const rows = [...snapshot.refusals].reverse().map((refusal) => {
    const row = create("li", "refusal");
    const sentence = create("span", "sentence", `${inPlainWords(refusal.sentence)} `);
    sentence.append(create("span", "code", `Error ${refusal.code}`));
    row.append(
      create("time", "when", new Date(refusal.at).toLocaleTimeString("en-GB")),
      refusal.client === undefined ? create("span", "who", "–") : chip(refusal.client, false),
      create("span", "channel-name", refusal.channel ?? "–"),
      sentence,
    );
    return row;
  });
  list.replaceChildren(...(rows.length === 0 ? [note("No request was rejected.")] : rows));
  const shown = rows.length < snapshot.refused;
  const text = shown ? `The last ${rows.length} of ${snapshot.refused.toLocaleString("en")} rejections are shown.` : "";
  document.getElementById("refusals-shown")!.textContent = text;
}

function channelRow(channel: ChannelSnapshot): HTMLElement {
  const row = create("li", "channel");
  const head = create("div", "head");
  head.append(create("strong", "name", channel.name));
  if (channel.leader === undefined) head.append(create("span", "nobody", "nobody leads"));
  else head.append(chip(channel.leader.id, true), create("span", "term", `term ${channel.leader.term}`));
  head.append(create("span", "attached", `${channel.attachments} attached`));
  const members = create("div", "members");
  for (const member of channel.members) members.append(chip(member.id, member.leads));
  const hidden = membersText(channel);
  if (hidden !== "") members.append(create("span", "more", hidden));
  row.append(head, members);
  return row;
}
