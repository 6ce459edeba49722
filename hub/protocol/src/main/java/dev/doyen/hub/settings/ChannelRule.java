package dev.doyen.hub.settings;

import dev.doyen.hub.wire.Quote;
import dev.doyen.text.DurationText;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Settings that apply to some channels. If an optional value is empty, the value in {@link HubSettings} applies.
 *
 * @param pattern the pattern: a channel name, or a prefix followed by one {@code *}
 * @param slots the slots of the channel, each with its maximum number of holders (rule C13)
 * @param publishers the slots whose holders may publish (rule C11); empty if every client may publish
 * @param fencing whether the messages of these holders need a fence
 * @param maxClaimTtl the upper bound of a claim's ttl (rule C7)
 * @param maxMembers the maximum number of members
 * @param historyCount the number of messages in the history
 * @param historyAge the age at which the history drops messages
 */
public record ChannelRule(
        String pattern,
        Map<String, Integer> slots,
        Set<String> publishers,
        Fencing fencing,
        Optional<Duration> maxClaimTtl,
        OptionalInt maxMembers,
        OptionalInt historyCount,
        Optional<Duration> historyAge) {

    /** Whether a message on a fenced channel needs a fence (rule C11). */
    public enum Fencing {
        /** Each message needs the term of its sender's claim. */
        TERM,
        /** A message without a fence is accepted if its sender holds a claim. */
        HOLDER
    }

    public static final int MAX_SLOTS = 16;
    public static final int MAX_HOLDERS = 100;

    private static final Pattern SLOT_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,31}");

    /** Checks the values. Throws {@link IllegalArgumentException} if a value is out of bounds. */
    public ChannelRule {
        slots = Collections.unmodifiableMap(new LinkedHashMap<>(slots));
        publishers = Collections.unmodifiableSet(new LinkedHashSet<>(publishers));
        int star = pattern.indexOf('*');
        if (pattern.isEmpty() || (star >= 0 && star != pattern.length() - 1)) {
            throw new IllegalArgumentException("a rule is for the channel " + Quote.of(pattern)
                    + ", which is not a channel name; write a name, or a prefix followed by one *");
        }
        if (slots.isEmpty() || slots.size() > MAX_SLOTS) {
            throw wrong(pattern, "has " + slots.size() + " slots; give 1 to " + MAX_SLOTS);
        }
        for (var slot : slots.entrySet()) {
            String name = slot.getKey();
            int count = slot.getValue();
            if (!SLOT_NAME.matcher(name).matches()) {
                throw wrong(
                        pattern,
                        "names the slot " + Quote.of(name)
                                + "; give it 1 to 32 letters, digits and any of . _ -, the first a letter or digit");
            }
            if (count < 1 || count > MAX_HOLDERS) {
                throw wrong(pattern, "has " + count + " of the slot " + name + "; give 1 to " + MAX_HOLDERS);
            }
        }
        for (String publisher : publishers) {
            if (!slots.containsKey(publisher)) {
                throw wrong(
                        pattern,
                        "is fenced for the slot " + Quote.of(publisher) + ", but has only "
                                + String.join(", ", slots.keySet()) + "; name one of these, or add that slot");
            }
        }
        maxClaimTtl.ifPresent(ttl -> atLeast(pattern, "max claim ttl", ttl, HubSettings.MIN_CLAIM_TTL));
        historyAge.ifPresent(age -> atLeast(pattern, "history age", age, Duration.ofMillis(1)));
        maxMembers.ifPresent(members -> positive(pattern, "members", members));
        historyCount.ifPresent(count -> positive(pattern, "history", count));
    }

    /** Returns a rule with one leader slot. All other values come from {@link HubSettings}. */
    public static ChannelRule of(String pattern) {
        return new ChannelRule(
                pattern,
                Map.of(Slot.LEADER_NAME, 1),
                Set.of(),
                Fencing.TERM,
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Optional.empty());
    }

    /** Returns a fenced copy of this rule. The copy permits only holders of the leader slot to publish (rule C11). */
    public ChannelRule fenced() {
        return fencedFor(Set.of(Slot.LEADER_NAME));
    }

    public ChannelRule fencedFor(Set<String> newPublishers) {
        return new ChannelRule(
                pattern, slots, newPublishers, fencing, maxClaimTtl, maxMembers, historyCount, historyAge);
    }

    /** Returns a fenced copy of this rule. The copy permits only the holder of the leader slot to publish. */
    public ChannelRule fencedByHolder() {
        return new ChannelRule(
                pattern,
                slots,
                Set.of(Slot.LEADER_NAME),
                Fencing.HOLDER,
                maxClaimTtl,
                maxMembers,
                historyCount,
                historyAge);
    }

    public ChannelRule withSlots(Map<String, Integer> newSlots) {
        return new ChannelRule(
                pattern, newSlots, publishers, fencing, maxClaimTtl, maxMembers, historyCount, historyAge);
    }

    public ChannelRule withMaxMembers(int newMaxMembers) {
        return new ChannelRule(
                pattern,
                slots,
                publishers,
                fencing,
                maxClaimTtl,
                OptionalInt.of(newMaxMembers),
                historyCount,
                historyAge);
    }

    public boolean isFenced() {
        return !publishers.isEmpty();
    }

    /** Returns true if the messages of the holders need no fence. */
    public boolean isFencedByHolder() {
        return isFenced() && fencing == Fencing.HOLDER;
    }

    boolean matches(String channel) {
        return pattern.endsWith("*")
                ? channel.startsWith(pattern.substring(0, pattern.length() - 1))
                : channel.equals(pattern);
    }

    private static void atLeast(String pattern, String what, Duration value, Duration least) {
        if (value.compareTo(least) < 0) {
            throw wrong(
                    pattern,
                    "has a " + what + " of " + DurationText.of(value) + "; the minimum is " + least.toMillis() + " ms");
        }
    }

    private static void positive(String pattern, String what, int value) {
        if (value < 1) {
            throw wrong(pattern, "has " + what + " " + value + "; give at least 1");
        }
    }

    private static IllegalArgumentException wrong(String pattern, String sentence) {
        return new IllegalArgumentException("the rule for the channel " + Quote.of(pattern) + " " + sentence);
    }
}
