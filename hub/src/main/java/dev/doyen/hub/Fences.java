package dev.doyen.hub;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.wire.ErrorCode;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Lets only the leader, in its own term, publish what carries a term: rules C10 and C11. */
final class Fences {

    private final HubSettings settings;

    Fences(HubSettings settings) {
        this.settings = settings;
    }

    /**
     * Checks one message.
     *
     * @param channel null if nobody ever used the channel, so nobody leads there
     * @param clientId who the sender speaks as in this message, null if as nobody in particular
     */
    void check(
            String name,
            @Nullable Channel channel,
            Connection sender,
            @Nullable String clientId,
            @Nullable JsonNode extras)
            throws Refusal {
        JsonNode header = Extras.term(extras);
        if (header == null) {
            if (settings.isFenced(name)) {
                throw fenced("channel " + Quote.of(name) + " is fenced: only its leader publishes, with its term in"
                        + " extras.headers[\"" + Extras.TERM_HEADER + "\"]");
            }
            return;
        }
        OptionalLong fence = termOf(header);
        if (fence.isEmpty()) {
            throw fenced(
                    "the fence " + Quote.of(header.toString()) + " is no integer; put the term of your claim there");
        }
        compare(name, channel == null ? null : channel.claim, sender, clientId, fence.getAsLong());
    }

    private static void compare(
            String name, @Nullable ChannelClaim claim, Connection sender, @Nullable String clientId, long fence)
            throws Refusal {
        if (claim == null || !claim.isHeld()) {
            String past = claim == null || claim.term() == 0 ? "" : "; the last term was " + claim.term();
            throw fenced("fence " + fence + ": nobody leads " + Quote.of(name) + " now" + past);
        }
        String leads = Quote.of(claim.holderClientId()) + " leads " + Quote.of(name) + " in term " + claim.term();
        if (fence != claim.term()) {
            throw fenced("fence " + fence + (fence < claim.term() ? " < " : " > ") + claim.term() + ": " + leads);
        }
        boolean holds = clientId == null ? claim.isHeldBy(sender) : claim.isHeldBy(sender, clientId);
        if (!holds) {
            throw fenced("fence " + fence + ": " + leads + ", not you");
        }
    }

    /** A number without a fraction, or digits in a string: headers are strings in some SDKs. */
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
