package dev.doyen.hub.channel;

import dev.doyen.event.Leader;
import dev.doyen.hub.settings.Slot;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The data about a channel that the console and the elector API show.
 *
 * @param attachments number of attachments at this node
 * @param members number of members
 * @param slots the leader slot, each other slot on which the store has granted a claim, and each slot whose election
 *     was paused
 * @param holders the holder and the term of each slot that a connection of this node holds
 */
public record ChannelView(String name, int attachments, int members, List<Slot> slots, Map<Slot, Leader> holders) {

    public ChannelView {
        slots = List.copyOf(slots);
        holders = Map.copyOf(holders);
    }

    /** Returns the leader and its term. */
    public Optional<Leader> leader() {
        return Optional.ofNullable(holders.get(Slot.LEADER));
    }
}
