package dev.doyen.stores.objects;

import dev.doyen.fence.Fence;
import dev.doyen.fence.StaleTermException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.text.ElectionNames;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * A fence for objects, which rejects the write of a stale leader.
 *
 * <p>The resource is an object. Its name is the key after the prefix. The object's metadata contains the highest term
 * that wrote it. Each write is conditional on the state from which that term was read, so no other write comes between.
 *
 * <p>A new leader calls {@link #admit} before it reads. From then on the previous leader cannot change the object. The
 * fence cannot reject a writer that does not use it, and such a write erases the term. Prevent that with the service's
 * access rights.
 *
 * <p>Threads: any. Calls block for a few requests. Errors: {@link StaleTermException} if a higher term was admitted
 * before. {@link StoreUnavailableException} if the service gives no usable answer; the write may then have happened. A
 * write keeps the object's media type and metadata, but not its tags and other settings.
 */
public final class ObjectFence implements Fence, AutoCloseable {

    /** The largest content that the fence guards. Each change reads and writes all of it. */
    public static final int MAX_BYTES = 16 * 1024 * 1024;

    private static final String TERM = "doyenterm";
    private static final String WRITE = "doyenwrite";
    private static final int ATTEMPTS = 8;
    private static final int MAX_KEY_BYTES = 1024;

    private final ConditionalObjects objects;
    private final String prefix;

    /** Creates a fence for the objects whose keys begin with {@code prefix}. Its close closes {@code objects}. */
    public ObjectFence(ConditionalObjects objects, String prefix) {
        this.objects = objects;
        this.prefix = prefix;
    }

    /** Admits the term and stores it in the object. Creates an empty object if it does not exist. */
    @Override
    public void admit(String resource, long term) {
        change(resource, term, true, before -> before);
    }

    /** Replaces the content, unless a higher term was admitted before. Creates the object if it does not exist. */
    public void write(String resource, long term, byte[] content) {
        update(resource, term, before -> content);
    }

    /**
     * Changes the content, unless a higher term was admitted before.
     *
     * @param change receives the present content, or no bytes if the object does not exist. It may run again if another
     *     write comes between, so it must have no side effect
     */
    public void update(String resource, long term, UnaryOperator<byte[]> change) {
        change(resource, term, false, change);
    }

    /** Returns the present content, or empty if the object does not exist. */
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

    /**
     * Returns whether this call's write is stored already.
     *
     * <p>Its answer may have been lost, or a proxy may have sent the request twice.
     */
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
