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
 * <p>The guarded resource is an object. The resource's name is the object's key after the prefix. The object's
 * metadata contains the highest term that was admitted for the object. Each write succeeds only if the object has not
 * changed since the fence read that term. So no other write can come between the read and the write.
 *
 * <p>A new leader calls {@link #admit} before it reads the object. From then on the previous leader cannot change the
 * object. The fence cannot reject a writer that does not use the fence. The write of such a writer erases the stored
 * term. To prevent this, permit writes to these objects only for processes that use the fence.
 *
 * <p>Threads: any. A call blocks for at most 16 requests. Errors: {@link StaleTermException} if a higher term was
 * admitted before. {@link StoreUnavailableException} if the service gives no usable answer, or if all attempts of a
 * write fail; in both cases the write has possibly happened. A write preserves the object's media type and metadata,
 * but not other settings such as S3 object tags.
 */
public final class ObjectFence implements Fence, AutoCloseable {

    /**
     * The maximum size in bytes of the content that the fence guards. Each change reads and writes the whole content.
     */
    public static final int MAX_BYTES = 16 * 1024 * 1024;

    private static final String TERM = "doyenterm";
    private static final String WRITE = "doyenwrite";
    private static final int ATTEMPTS = 8;
    private static final int MAX_KEY_BYTES = 1024;

    private final ConditionalObjects objects;
    private final String prefix;

    /**
     * Creates a fence for the objects whose keys begin with {@code prefix}. Closing the fence also closes
     * {@code objects}.
     */
    public ObjectFence(ConditionalObjects objects, String prefix) {
        this.objects = objects;
        this.prefix = prefix;
    }

    /** Admits the term and stores it in the object. The method creates an empty object if the object does not exist. */
    @Override
    public void admit(String resource, long term) {
        change(resource, term, true, before -> before);
    }

    /**
     * Replaces the content, unless a higher term was admitted before. The method creates the object if it does not
     * exist.
     */
    public void write(String resource, long term, byte[] content) {
        update(resource, term, before -> content);
    }

    /**
     * Changes the content, unless a higher term was admitted before.
     *
     * @param change the function that receives the present content, or no bytes if the object does not exist. The
     *     function runs once for each attempt of the write, so it must have no side effects
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
                + " attempts; the last attempt failed with: " + last + "; read the object to find the outcome");
    }

    private static ObjectContent changed(
            String resource, Optional<StoredObject> now, long term, String mark, UnaryOperator<byte[]> change) {
        ObjectContent before = now.map(StoredObject::content)
                .orElseGet(() -> ObjectContent.of(new byte[0], "application/octet-stream", Map.of()));
        byte[] bytes = change.apply(before.bytes());
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("\"" + resource + "\" would have " + bytes.length + " bytes; at most "
                    + MAX_BYTES + " are guarded: write the data under its own key, and guard the name of that key");
        }
        return before.withBytes(bytes).withMetadata(Map.of(TERM, Long.toString(term), WRITE, mark));
    }

    /**
     * Returns true if the object already contains this call's write.
     *
     * <p>In this case the answer to the write was lost, or a proxy sent the request twice.
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
                            + " that is not a number; set it to the highest known term",
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
