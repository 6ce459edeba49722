import { chip, create, note, commandButton, showTexts } from "./elements.js";
import type { ChannelSnapshot, ElectionSnapshot, HubSnapshot } from "./snapshot.js";
import { othersOf, verbs, type AdminCommand, type Outcome } from "./commands.js";
import { rateText, type Rates } from "./rates.js";

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

  show(snapshot: HubSnapshot): void {
    const rows = new Map<string, HTMLElement>();
    for (const channel of snapshot.channels) {
      const content = JSON.stringify(channel);
      rows.set(content, this.rows.get(content) ?? this.row(channel));
    }
    const more = snapshot.channelsInAll - snapshot.channels.length;
    const last =
      more > 0
        ? `and ${more.toLocaleString("en")} more channels`
        : rows.size === 0
          ? "No channels yet. A channel appears when the first client attaches to it."
          : null;
    if (last !== null) rows.set(last, this.rows.get(last) ?? note(last));
    this.rows = rows;
    const next = [...rows.values()];
    const same = next.length === this.list.children.length && next.every((row, i) => this.list.children[i] === row);
    if (!same) this.list.replaceChildren(...next);
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
    if (election.paused !== undefined) line.append(create("span", "paused", election.paused));
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
    row.append(
      create("time", "when", new Date(refusal.at).toLocaleTimeString("en-GB")),
      create("span", "code", String(refusal.code)),
      create("span", "who", refusal.client ?? "–"),
      create("span", "sentence", refusal.sentence),
    );
    return row;
  });
  list.replaceChildren(...(rows.length === 0 ? [note("No request was rejected.")] : rows));
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
  const more = channel.membersInAll - channel.members.length;
  if (more > 0) members.append(create("span", "more", `and ${more} more`));
  row.append(head, members);
  return row;
}
