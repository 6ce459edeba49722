import assert from "node:assert/strict";
import { test } from "node:test";
import { channelsText, membersText } from "../src/filter.js";
import type { ChannelSnapshot, HubSnapshot } from "../src/snapshot.js";

const hub = (shown: number, found: number, all: number, membersUnsearched?: number): HubSnapshot => {
  const channels = Array.from({ length: shown });
  return { channels, channelsFound: found, channelsInAll: all, membersUnsearched } as unknown as HubSnapshot;
};
const channel = (shown: number, found: number, all: number): ChannelSnapshot =>
  ({ members: Array.from({ length: shown }), membersFound: found, membersInAll: all }) as unknown as ChannelSnapshot;

test("the page shows how many channels it does not show", () => {
  assert.equal(channelsText(hub(3, 3, 3), false), "3 of 3 channels shown.");
  assert.equal(channelsText(hub(100, 1000, 1000), false), "100 of 1,000 channels shown. Search to see the others.");
  assert.equal(channelsText(hub(1, 1, 1000), true), "1 of 1 matching channel shown, 1,000 in all.");
  assert.equal(
    channelsText(hub(100, 345, 1000), true),
    "100 of 345 matching channels shown, 1,000 in all. Search to see the others.",
  );
  assert.equal(
    channelsText(hub(2, 2, 1000, 5000), true),
    "2 of 2 matching channels shown, 1,000 in all. 5,000 members were not searched. Enter a channel to search in it.",
  );
});

test("a channel shows how many members it does not show", () => {
  assert.equal(membersText(channel(3, 3, 3)), "");
  assert.equal(membersText(channel(200, 1000, 1000)), "200 of 1,000 members shown.");
  assert.equal(membersText(channel(4, 4, 1000)), "4 of 4 matching members shown, 1,000 in all.");
});
