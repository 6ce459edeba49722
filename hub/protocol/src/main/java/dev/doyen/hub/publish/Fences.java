package dev.doyen.hub.publish;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.channel.Change;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Member;
import dev.doyen.hub.channel.SlotClaim;
import dev.doyen.hub.content.ClaimData;
import dev.doyen.hub.content.Extras;
import dev.doyen.hub.content.WholeNumbers;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks the fences of published messages by rules C10, C11, C15, C18 and C21. */
public final class Fences {

    private final HubSettings settings;

    public Fences(HubSettings settings) {
        this.settings = settings;
    }

    /**
     * Checks one message. Returns the claim that permits the message. The result is empty if the message needs no
     * claim.
     *
     * @param channel the channel; null if the channel does not exist and therefore has no leader
     * @param clientId the client id of the message; null if the message names none
     */
    Optional<Change.Fence> check(
            String name,
            @Nullable Channel channel,
            Connection sender,
            @Nullable String clientId,
            @Nullable JsonNode extras)
            throws Refusal {
        JsonNode header = Extras.term(extras);
        ChannelRule rule = rule(name, channel);
        if (header == null) {
            return implicit(name, rule, channel, sender, clientId);
        }
        OptionalLong fence = termOf(header);
        if (fence.isEmpty()) {
            throw fenced("the fence " + Quote.of(header.toString())
                    + " is not an integer; put the term of your claim there");
        }
        SlotClaim own = held(name, channel, sender, clientId, extras, fence.getAsLong());
        if (rule.isFenced() && !publishes(rule, own)) {
            throw fenced(
                    "channel " + Quote.of(name) + " is fenced: only " + publishers(rule) + "; you hold " + own.slot);
        }
        return Optional.of(new Change.Fence(own.slot, own.term()));
    }

    /** Checks one message of a request without a connection. Such a request holds no claim (rule C18). */
    void checkWithoutConnection(String name, @Nullable JsonNode extras) throws Refusal {
        if (Extras.term(extras) != null) {
            throw fenced("a request without a connectionKey has no claim, so it cannot have a fence; give the"
                    + " connectionKey of the leader's connection, or publish over it");
        }
        ChannelRule rule = settings.channelRules().of(name);
        if (rule.isFenced()) {
            throw unfenced(name, rule);
        }
    }

    private ChannelRule rule(String name, @Nullable Channel channel) {
        return channel == null ? settings.channelRules().of(name) : channel.rule;
    }

    /**
     * Checks a message without a fence. The fence of the sender's bare claim then also applies to the message, so that
     * the shared log can reject the message after the claim has ended.
     */
    private static Optional<Change.Fence> implicit(
            String name, ChannelRule rule, @Nullable Channel channel, Connection sender, @Nullable String clientId)
            throws Refusal {
        Optional<Change.Fence> fence = channel == null
                ? Optional.empty()
                : channel.claims.heldBy(sender).stream()
                        .filter(claim -> clientId == null || clientId.equals(claim.holderClientId()))
                        .filter(claim -> rule.isFenced() ? publishes(rule, claim) : isBare(channel, claim))
                        .findFirst()
                        .map(claim -> new Change.Fence(claim.slot, claim.term()));
        if (rule.isFenced() && (!rule.isFencedByHolder() || fence.isEmpty())) {
            throw unfenced(name, rule);
        }
        if (channel != null && fence.isEmpty() && mayLead(channel, sender, clientId)) {
            throw fenced(lost(name, channel));
        }
        return fence;
    }

    private static boolean publishes(ChannelRule rule, SlotClaim claim) {
        return rule.publishers().contains(claim.slot.name());
    }

    private static boolean isBare(Channel channel, SlotClaim claim) {
        ClaimData data = claim.data(channel);
        return data != null && data.isBare();
    }

    /**
     * Returns true if the program of a sender without a claim may still lead (rule C21). On several nodes, the member's
     * data can contain a claim that has ended, until this node reads the end from the log.
     */
    private static boolean mayLead(Channel channel, Connection sender, @Nullable String clientId) {
        if (channel.formerHolders.contains(sender, clientId)) {
            return true;
        }
        if (clientId != null) {
            return claimsBare(channel.member(sender, clientId));
        }
        return sender.members.stream().anyMatch(member -> member.channel == channel && claimsBare(member));
    }

    private static boolean claimsBare(@Nullable Member member) {
        return member != null && member.claim != null && member.claim.isBare();
    }

    /** Returns the error text for a former holder. The text names the present leader if the channel has only one. */
    private static String lost(String name, Channel channel) {
        SlotClaim leader = channel.claims.find(Slot.LEADER);
        int leaders = channel.rule.slots().getOrDefault(Slot.LEADER_NAME, 1);
        String now = leaders > 1
                ? "you hold no slot of " + Quote.of(name)
                : leader == null || !leader.isHeld()
                        ? "you do not lead " + Quote.of(name)
                        : holds(name, leader) + ", not you";
        return now + "; stop publishing as the leader, and claim again, or update your presence data to publish other"
                + " messages";
    }

    private static Refusal unfenced(String name, ChannelRule rule) {
        String how = rule.isFencedByHolder() ? "" : ", with its term in extras.headers[\"" + Extras.TERM_HEADER + "\"]";
        return fenced("channel " + Quote.of(name) + " is fenced: only " + publishers(rule) + how);
    }

    /**
     * Returns the sender's claim for a message that requires a fence. Throws a {@link Refusal} if the sender has no
     * claim in the term of the fence.
     */
    SlotClaim holder(
            String name,
            @Nullable Channel channel,
            Connection sender,
            @Nullable String clientId,
            @Nullable JsonNode extras)
            throws Refusal {
        JsonNode header = Extras.term(extras);
        OptionalLong fence = header == null ? OptionalLong.empty() : termOf(header);
        if (fence.isEmpty()) {
            throw fenced("the fence is not an integer; put the term of your claim into extras.headers[\""
                    + Extras.TERM_HEADER + "\"]");
        }
        return held(name, channel, sender, clientId, extras, fence.getAsLong());
    }

    private SlotClaim held(
            String name,
            @Nullable Channel channel,
            Connection sender,
            @Nullable String clientId,
            @Nullable JsonNode extras,
            long fence)
            throws Refusal {
        SlotClaim own = own(channel, sender, clientId, fence);
        if (own == null) {
            throw fenced(notYours(name, rule(name, channel), channel, extras, fence));
        }
        JsonNode slot = Extras.slot(extras);
        if (slot != null && !own.slot.toString().equals(slot.asText())) {
            throw fenced("fence " + fence + " of " + Quote.of(slot.asText()) + ": you hold " + own.slot + " of "
                    + Quote.of(name) + " in term " + own.term());
        }
        if (fence != own.term()) {
            throw fenced(differs(name, own, fence));
        }
        return own;
    }

    /**
     * Returns the sender's claim. A sender without a client id can hold several claims, and the fence selects one of
     * them (rule C15).
     */
    private static @Nullable SlotClaim own(
            @Nullable Channel channel, Connection sender, @Nullable String clientId, long fence) {
        if (channel == null) {
            return null;
        }
        if (clientId != null) {
            return channel.claims.heldBy(sender, clientId);
        }
        List<SlotClaim> held = channel.claims.heldBy(sender);
        for (SlotClaim claim : held) {
            if (claim.term() == fence) {
                return claim;
            }
        }
        return held.isEmpty() ? null : held.get(0);
    }

    /** Returns the error text for a sender without a claim. The text describes the slot of the message. */
    private static String notYours(
            String name, ChannelRule rule, @Nullable Channel channel, @Nullable JsonNode extras, long fence) {
        Slot meant = meant(rule, extras);
        if (meant == null) {
            return "fence " + fence + ": you hold no slot of " + Quote.of(name) + " now";
        }
        SlotClaim claim = channel == null ? null : channel.claims.find(meant);
        if (claim == null || !claim.isHeld()) {
            String past = claim == null || claim.term() == 0 ? "" : "; the last term was " + claim.term();
            return "fence " + fence + ": nobody " + does(name, meant) + " now" + past;
        }
        return fence == claim.term()
                ? "fence " + fence + ": " + holds(name, claim) + ", not you"
                : differs(name, claim, fence);
    }

    /**
     * Returns the slot that the message names. If the message names no slot, the result is the only slot of the
     * channel. The result is null if the named slot does not exist, or if no slot is named and the channel has several
     * slots.
     */
    private static @Nullable Slot meant(ChannelRule rule, @Nullable JsonNode extras) {
        JsonNode named = Extras.slot(extras);
        for (var slot : rule.slots().entrySet()) {
            for (int number = 1; number <= slot.getValue(); number++) {
                var each = new Slot(slot.getKey(), number);
                boolean only = named == null && rule.slots().size() == 1 && slot.getValue() == 1;
                if (only || (named != null && each.toString().equals(named.asText()))) {
                    return each;
                }
            }
        }
        return null;
    }

    private static String differs(String name, SlotClaim claim, long fence) {
        return "fence " + fence + (fence < claim.term() ? " < " : " > ") + claim.term() + ": " + holds(name, claim);
    }

    private static String holds(String name, SlotClaim claim) {
        return Quote.of(claim.holderClientId()) + " " + does(name, claim.slot) + " in term " + claim.term();
    }

    private static String does(String name, Slot slot) {
        return slot.equals(Slot.LEADER) ? "leads " + Quote.of(name) : "holds " + slot + " of " + Quote.of(name);
    }

    private static String publishers(ChannelRule rule) {
        return rule.publishers().size() == 1 && rule.publishers().contains(Slot.LEADER_NAME)
                ? "its leader publishes"
                : "the holder of "
                        + rule.slots().keySet().stream()
                                .filter(rule.publishers()::contains)
                                .collect(Collectors.joining(" or "))
                        + " publishes";
    }

    /** Reads a whole number from a number or from a string of digits. Some SDKs send headers as strings. */
    private static OptionalLong termOf(JsonNode header) {
        if (header.isTextual() && header.textValue().matches("[0-9]{1,18}")) {
            return OptionalLong.of(Long.parseLong(header.textValue()));
        }
        return WholeNumbers.of(header);
    }

    private static Refusal fenced(String sentence) {
        return new Refusal(ErrorCode.FENCED, sentence);
    }
}
