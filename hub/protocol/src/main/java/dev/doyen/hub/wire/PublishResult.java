package dev.doyen.hub.wire;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The serials of the messages in a published frame, for the {@code res} of its ACK. */
public record PublishResult(List<@Nullable String> serials) {

    public PublishResult {
        serials = Collections.unmodifiableList(new ArrayList<>(serials));
    }
}
