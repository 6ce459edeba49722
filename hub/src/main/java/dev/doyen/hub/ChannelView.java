package dev.doyen.hub;

import dev.doyen.event.Leader;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A channel as it is shown to people.
 *
 * @param attachments how many subscriptions it has
 * @param members how many are present
 * @param slots the leader's, and every other that was claimed there
 * @param holders who holds which slot, and in which term
 */
public record ChannelView(String name, int attachments, int members, List<Slot> slots, Map<Slot, Leader> holders) {

    public ChannelView {
        slots = List.copyOf(slots);
        holders = Map.copyOf(holders);
    }

    /** Who leads, and in which term. */
    public Optional<Leader> leader() {
        return Optional.ofNullable(holders.get(Slot.LEADER));
    }
}
