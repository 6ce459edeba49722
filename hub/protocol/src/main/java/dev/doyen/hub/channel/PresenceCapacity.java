package dev.doyen.hub.channel;

import dev.doyen.hub.quota.Resource;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Limits the number of members of a channel, and the size of all members. */
public final class PresenceCapacity {

    private final HubSettings settings;
    private final Channels channels;

    public PresenceCapacity(HubSettings settings, Channels channels) {
        this.settings = settings;
        this.channels = channels;
    }

    /** Rejects a frame that would exceed a limit. A frame that makes no member larger always passes. */
    public void check(PresenceFrame frame) throws Refusal {
        Optional<Refusal> refusal = refusal(frame);
        if (refusal.isPresent()) {
            throw refusal.get();
        }
    }

    /** Returns the rejection of a frame that would exceed a limit. The result is empty if there is room. */
    public Optional<Refusal> refusal(PresenceFrame frame) {
        Map<String, Long> after = new HashMap<>();
        frame.entries().forEach(entry -> after.put(entry.clientId(), entry.bytes()));
        int newcomers = 0;
        long more = 0;
        for (var each : after.entrySet()) {
            Member known = frame.channel().member(frame.connection(), each.getKey());
            newcomers += known == null && each.getValue() > 0 ? 1 : 0;
            more += each.getValue() - (known == null ? 0 : known.bytes());
        }
        Channel channel = frame.channel();
        int most = settings.maxMembers(channel.rule);
        if (newcomers > 0 && channel.members.size() + newcomers > most) {
            return Optional.of(new Refusal(
                    ErrorCode.TOO_MANY_MEMBERS,
                    named(channel) + " has " + channel.members.size() + " members; at most " + most
                            + " may be present"));
        }
        return more <= 0 ? Optional.empty() : refusal(frame, more);
    }

    private Optional<Refusal> refusal(PresenceFrame frame, long more) {
        Channel channel = frame.channel();
        if (channel.presenceBytes + more > settings.presenceBytesPerChannel()) {
            return full(named(channel), channel.presenceBytes, more, settings.presenceBytesPerChannel());
        }
        if (channels.presenceBytes() + more > settings.presenceBytesInAll()) {
            return full("the hub", channels.presenceBytes(), more, settings.presenceBytesInAll());
        }
        try {
            frame.connection().usage.check(Resource.PRESENCE_BYTES, more);
            return Optional.empty();
        } catch (Refusal refusal) {
            return Optional.of(refusal);
        }
    }

    private static Optional<Refusal> full(String where, long bytes, long more, long limit) {
        return Optional.of(new Refusal(
                ErrorCode.TOO_MANY_MEMBERS,
                where + " has " + bytes + " bytes of presence, and " + more + " more would exceed its limit of " + limit
                        + "; send less data"));
    }

    private static String named(Channel channel) {
        return "channel " + Quote.of(channel.name);
    }
}
