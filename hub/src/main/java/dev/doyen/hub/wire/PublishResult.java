package dev.doyen.hub.wire;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The serials one published frame was given, a serial per message, for the {@code res} of its ACK. */
public record PublishResult(List<@Nullable String> serials) {

    public PublishResult {
        serials = Collections.unmodifiableList(new ArrayList<>(serials));
    }
}
