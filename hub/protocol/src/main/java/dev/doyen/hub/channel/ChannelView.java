package dev.doyen.hub.channel;

import dev.doyen.event.Leader;
import dev.doyen.hub.settings.Slot;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A channel as the console and the elector API show it.
 *
 * @param attachments number of attachments
 * @param members number of members
 * @param slots the leader slot and every other slot that was claimed
 * @param holders the holder of each slot, with its term
 */
public record ChannelView(String name, int attachments, int members, List<Slot> slots, Map<Slot, Leader> holders) {

    public ChannelView {
        slots = List.copyOf(slots);
        holders = Map.copyOf(holders);
    }

    /** The leader and its term. */
    public Optional<Leader> leader() {
        return Optional.ofNullable(holders.get(Slot.LEADER));
    }
}
