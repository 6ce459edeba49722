package dev.doyen.stores.objects;

import dev.doyen.fence.Fence;
import dev.doyen.fence.StaleTermException;
import dev.doyen.store.ElectionNames;
import dev.doyen.store.StoreUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * Objects that refuse a stale leader's write. The resource is the object, its name the key after the prefix, and the
 * object itself remembers, in its metadata, the highest term that wrote it. Every write is made on condition of the
 * state in which that term was read, so that no write comes between.
 *
 * <p>A new leader calls {@link #admit} before it reads: from then on the leader before it can change nothing more. A
 * writer that does not go through a fence is not refused, and makes the object forget its term; let the service's own
 * rights see to that.
 *
 * <p>Threads: any; calls block for a few requests of the service. Errors: {@link StaleTermException} if a higher term
 * was seen; {@link StoreUnavailableException} if the service gives no usable answer, and then a write may have been
 * made. An object keeps its media type and its metadata; tags and other settings of the service are not kept.
 */
public final class ObjectFence implements Fence, AutoCloseable {

    /** The largest content that is guarded: each change reads and writes all of it. */
    public static final int MAX_BYTES = 16 * 1024 * 1024;

    private static final String TERM = "doyenterm";
    private static final String WRITE = "doyenwrite";
    private static final int ATTEMPTS = 8;
    private static final int MAX_KEY_BYTES = 1024;

    private final ConditionalObjects objects;
    private final String prefix;

    /** A fence for the objects whose keys begin with {@code prefix}; it closes {@code objects} when it is closed. */
    public ObjectFence(ConditionalObjects objects, String prefix) {
        this.objects = objects;
        this.prefix = prefix;
    }

    /** Admits the term and lets the object remember it; an object that is not there is made, without content. */
    @Override
    public void admit(String resource, long term) {
        change(resource, term, true, before -> before);
    }

    /** Replaces the content, if no higher term was seen. An object that is not there is made. */
    public void write(String resource, long term, byte[] content) {
        update(resource, term, before -> content);
    }

    /**
     * Changes the content, if no higher term was seen. {@code change} gets what is there, no bytes if nothing is, and
     * may be called again if somebody else wrote meanwhile; it must have no other effect than its result.
     */
    public void update(String resource, long term, UnaryOperator<byte[]> change) {
        change(resource, term, false, change);
    }

    /** The content as it is now; empty if there is no object. */
    public Optional<FencedContent> read(String resource) {
        return objects.get(key(resource), MAX_BYTES)
                .map(object -> new FencedContent(
                        seen(resource, Optional.of(object)), object.content().bytes()));
    }

    @Override
    public void close() {
        objects.close();
    }

    private void change(String resource, long term, boolean termIsEnough, UnaryOperator<byte[]> change) {
        if (term < 1) {
            throw new IllegalArgumentException("term is " + term + "; terms start at 1");
        }
        String key = key(resource);
        String mark = UUID.randomUUID().toString();
        String last = "";
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<StoredObject> now = objects.get(key, MAX_BYTES);
            long seen = seen(resource, now);
            if (seen > term) {
                throw new StaleTermException(resource, term, seen);
            }
            if (isOwn(now, mark) || (termIsEnough && seen == term)) {
                return;
            }
            PutOutcome outcome =
                    objects.put(key, changed(resource, now, term, mark, change), now.map(StoredObject::tag));
            if (outcome instanceof PutOutcome.Stored) {
                return;
            }
            last = outcome instanceof PutOutcome.Unknown unknown
                    ? unknown.reason()
                    : ((PutOutcome.Refused) outcome).reason();
        }
        throw new StoreUnavailableException("\"" + resource + "\" could not be written in " + ATTEMPTS
                + " attempts, the last of which met: " + last + "; read it before deciding what became of them");
    }

    private static ObjectContent changed(
            String resource, Optional<StoredObject> now, long term, String mark, UnaryOperator<byte[]> change) {
        ObjectContent before = now.map(StoredObject::content)
                .orElseGet(() -> ObjectContent.of(new byte[0], "application/octet-stream", Map.of()));
        byte[] bytes = change.apply(before.bytes());
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("\"" + resource + "\" would have " + bytes.length + " bytes; at most "
                    + MAX_BYTES + " are guarded: write them under a key of their own, and guard the name of that");
        }
        return before.withBytes(bytes).withMetadata(Map.of(TERM, Long.toString(term), WRITE, mark));
    }

    /** An attempt whose answer was lost, or that something in between sent twice, has left its mark. */
    private static boolean isOwn(Optional<StoredObject> now, String mark) {
        return now.map(object -> object.content().metadata().get(WRITE))
                .filter(mark::equals)
                .isPresent();
    }

    private static long seen(String resource, Optional<StoredObject> now) {
        String term = now.map(object -> object.content().metadata().get(TERM)).orElse("0");
        try {
            return Long.parseLong(term);
        } catch (NumberFormatException e) {
            throw new StoreUnavailableException(
                    "\"" + resource + "\" has metadata " + TERM
                            + " that is no number; set it to the highest term known",
                    e);
        }
    }

    private String key(String resource) {
        ElectionNames.check("resource", resource);
        for (String segment : resource.split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                throw new IllegalArgumentException("resource \"" + resource
                        + "\" has a part that is empty, \".\" or \"..\" between slashes; give each part a name");
            }
        }
        String key = prefix + resource;
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_KEY_BYTES) {
            throw new IllegalArgumentException("the key of resource \"" + resource + "\" has " + bytes
                    + " bytes; at most " + MAX_KEY_BYTES + " are allowed: shorten it or the prefix");
        }
        return key;
    }
}
