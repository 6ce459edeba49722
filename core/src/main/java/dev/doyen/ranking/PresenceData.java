package dev.doyen.ranking;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What members write into the presence set, and how it is read back, whoever wrote it (rule K3).
 *
 * <p>Data and headers come as a JSON reader gives them: {@link Map}, {@link String}, {@link Number}, {@link Boolean},
 * lists, null. Data that is not of our form is no error but a stranger, that follows and is not eligible.
 */
public final class PresenceData {

    /** A term beyond this is taken for nonsense, so that nobody can push the next claim out of the integers. */
    public static final long MAX_TERM = 1L << 52;

    /** The greatest integer that every reader of JSON keeps exactly. */
    private static final long MAX_EXACT = (1L << 53) - 1;

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,16}");
    private static final String LEADER = "leader";

    private PresenceData() {}

    /**
     * A presence message, as the transport gives it.
     *
     * @param timestampMillis the hub's time of this data
     * @param data decoded JSON, or null
     * @param headers {@code extras.headers}, decoded; empty if there are none
     */
    public record Presence(
            String clientId,
            String connectionId,
            long timestampMillis,
            @Nullable Object data,
            Map<?, ?> headers) {}

    /** What names a member: its connection, then its client id. */
    public static String key(String connectionId, String clientId) {
        return connectionId + ":" + clientId;
    }

    /** The member that a presence message tells of. */
    public static Member read(Presence message) {
        Map<?, ?> data = message.data() instanceof Map<?, ?> map ? map : Map.of();
        boolean ours = message.data() instanceof Map<?, ?>;
        boolean other = !LEADER.equals(data.get("slot") == null ? LEADER : data.get("slot"));
        boolean claims = ours ? "L".equals(data.get("role")) && !other : LEADER.equals(message.data());
        boolean eligible = isOne(data.get("v")) && !Boolean.FALSE.equals(data.get("elig")) && !other;
        return new Member(
                key(message.connectionId(), message.clientId()),
                message.clientId(),
                message.timestampMillis(),
                claims ? Role.LEADER : Role.FOLLOWER,
                term(data.get("term")).orElse(0),
                stampedTerm(message.headers()),
                integer(data.get("prio")).orElse(0),
                ours && eligible,
                integer(data.get("seq")),
                ended(message.headers()));
    }

    /** The leader's term in the headers, a number or its digits; empty if there is none, or another slot's. */
    public static OptionalLong stampedTerm(Map<?, ?> headers) {
        if (headers.get("doyen-slot") instanceof String slot && !slot.equals(LEADER) && !slot.startsWith("leader/")) {
            return OptionalLong.empty();
        }
        Object term = headers.get("doyen-term");
        return term instanceof String text && DIGITS.matcher(text).matches() ? term(Long.valueOf(text)) : term(term);
    }

    /** What a follower writes. */
    public static Map<String, Object> of(RankingEffect.Follow effect, RankingSettings settings) {
        Map<String, Object> data = begin("F", effect.term(), settings, effect.seq());
        if (!effect.eligible()) {
            data.put("elig", false);
        }
        return data;
    }

    /** What a claim says. */
    public static Map<String, Object> of(RankingEffect.Claim effect, RankingSettings settings) {
        Map<String, Object> data = begin("L", effect.term(), settings, effect.seq());
        data.put("ttl", settings.ttl().toMillis());
        return data;
    }

    private static Map<String, Object> begin(String role, long term, RankingSettings settings, long seq) {
        var data = new LinkedHashMap<String, Object>();
        data.put("v", 1);
        data.put("role", role);
        data.put("term", term);
        data.put("prio", settings.priority());
        data.put("seq", seq);
        return data;
    }

    private static Optional<Member.Ended> ended(Map<?, ?> headers) {
        if (!(headers.get("doyen-reason") instanceof String)) {
            return Optional.empty();
        }
        Optional<String> heir =
                headers.get("doyen-heir") instanceof String named ? Optional.of(named) : Optional.empty();
        return Optional.of(new Member.Ended(heir));
    }

    private static boolean isOne(@Nullable Object value) {
        OptionalLong version = integer(value);
        return version.isPresent() && version.getAsLong() == 1;
    }

    private static OptionalLong term(@Nullable Object value) {
        OptionalLong term = integer(value);
        return term.isPresent() && term.getAsLong() >= 0 && term.getAsLong() <= MAX_TERM ? term : OptionalLong.empty();
    }

    /** An integer that is exact in every language; 3.0 is one, as in JSON, where it is another way to write 3. */
    private static OptionalLong integer(@Nullable Object value) {
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return exact(((Number) value).longValue());
        }
        if (value instanceof BigInteger big) {
            return big.bitLength() < 64 ? exact(big.longValue()) : OptionalLong.empty();
        }
        if (value instanceof BigDecimal || value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            return number == Math.rint(number) && Math.abs(number) <= MAX_EXACT
                    ? exact((long) number)
                    : OptionalLong.empty();
        }
        return OptionalLong.empty();
    }

    private static OptionalLong exact(long value) {
        return value >= -MAX_EXACT && value <= MAX_EXACT ? OptionalLong.of(value) : OptionalLong.empty();
    }
}
