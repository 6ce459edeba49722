package dev.doyen.hub.content;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.doyen.event.SavedState;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.Refusal;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The state that a holder saves for the next holder (rule C17).
 *
 * <p>In the lease record, the state begins with the line {@code doyen-hub/1 TERM KIND ENCODING}. {@code KIND} is
 * {@code text} or {@code bytes}. {@code ENCODING} is the component {@code encoding} in URL-safe base64; it is empty if
 * the message has no encoding. The data follows this line. A state that was
 * saved by a program other than a hub has no such line.
 *
 * @param term the term in which the holder saved the state; 0 if the term is unknown
 * @param encoding the encoding of the message, which the SDK decodes
 */
public record ClaimState(long term, Data data, @Nullable String encoding) {

    /** The name of the messages that save state and of the messages that deliver it. */
    public static final String MESSAGE_NAME = "doyen:state";

    private static final Pattern LINE = Pattern.compile("doyen-hub/1 ([0-9]{1,18}) (text|bytes) ([A-Za-z0-9_-]*)");

    /** Returns the form for the lease record. Throws a {@link Refusal} if the state is too large. */
    public SavedState packed() throws Refusal {
        if (data.equals(Data.NONE)) {
            return SavedState.EMPTY;
        }
        String kind = data instanceof Data.Bytes ? "bytes" : "text";
        String line = "doyen-hub/1 " + term + " " + kind + " " + (encoding == null ? "" : inBase64(encoding)) + "\n";
        var packed = new ByteArrayOutputStream();
        packed.writeBytes(line.getBytes(StandardCharsets.UTF_8));
        packed.writeBytes(bytes());
        if (packed.size() > SavedState.MAX_BYTES) {
            throw new Refusal(
                    ErrorCode.MESSAGE_TOO_BIG,
                    "the state has " + data.size() + " bytes; at most " + (SavedState.MAX_BYTES - line.length())
                            + " are stored with a claim: save a pointer to the rest");
        }
        return SavedState.of(packed.toByteArray());
    }

    /** Reads the state in a lease record. The result is empty if the record has no state. */
    public static Optional<ClaimState> of(SavedState kept) {
        if (kept.isEmpty()) {
            return Optional.empty();
        }
        byte[] all = kept.bytes();
        int end = 0;
        while (end < all.length && all[end] != '\n') {
            end++;
        }
        var line = LINE.matcher(new String(all, 0, end, StandardCharsets.UTF_8));
        if (end == all.length || !line.matches()) {
            return Optional.of(new ClaimState(0, Data.bytes(all), null));
        }
        byte[] rest = Arrays.copyOfRange(all, end + 1, all.length);
        String encoding = line.group(3);
        return Optional.of(new ClaimState(
                Long.parseLong(line.group(1)),
                line.group(2).equals("bytes") ? Data.bytes(rest) : Data.text(new String(rest, StandardCharsets.UTF_8)),
                encoding.isEmpty() ? null : ofBase64(encoding)));
    }

    /** Returns the bytes of the data. Text becomes UTF-8. */
    public byte[] bytes() {
        if (data instanceof Data.Bytes bytes) {
            return bytes.toArray();
        }
        return data instanceof Data.Text text ? text.text().getBytes(StandardCharsets.UTF_8) : new byte[0];
    }

    private static String inBase64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Decodes base64 text, or returns null if the text is invalid. Invalid text can come from another program, whose
     * first line only resembles a hub's line.
     */
    private static @Nullable String ofBase64(String text) {
        try {
            return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns the message that delivers the state to the holder of this slot. */
    public Message message(Slot slot) {
        var extras = JsonNodeFactory.instance.objectNode();
        var headers = extras.putObject("headers");
        if (term > 0) {
            headers.put(Extras.TERM_HEADER, term);
        }
        headers.put(Extras.SLOT_HEADER, slot.toString());
        return Message.of(MESSAGE_NAME, data).withData(data, encoding).withExtras(extras);
    }
}
