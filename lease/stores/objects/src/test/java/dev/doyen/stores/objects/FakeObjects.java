package dev.doyen.stores.objects;

import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.UnreadableRecordException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;

/**
 * An object store in memory. A test can choose the store's next answers.
 *
 * <p>An object's ETag depends only on its content, as in S3.
 */
final class FakeObjects implements ConditionalObjects {

    private final Map<String, StoredObject> objects = new HashMap<>();
    private final Queue<PutFault> faults = new ArrayDeque<>();
    private final Queue<Runnable> beforePuts = new ArrayDeque<>();
    private int failingGets;
    private int puts;
    private boolean closed;

    /** The faults that a test can set for a write. */
    enum PutFault {
        LOST,
        LACKS_RIGHT,
        MADE_BUT_UNANSWERED,
        MADE_BUT_REFUSED,
        REFUSED_FOR_NOTHING
    }

    void nextPut(PutFault fault) {
        faults.add(fault);
    }

    /** Runs {@code rival} between the next writer's read and its write. */
    void beforeNextPut(Runnable rival) {
        beforePuts.add(rival);
    }

    void failGets(int number) {
        failingGets = number;
    }

    int puts() {
        return puts;
    }

    boolean isClosed() {
        return closed;
    }

    /** Writes the object without a condition. */
    void overwrite(String key, ObjectContent content) {
        objects.put(key, new StoredObject(tagOf(content), content));
    }

    void delete(String key) {
        objects.remove(key);
    }

    StoredObject stored(String key) {
        return Objects.requireNonNull(objects.get(key), key);
    }

    @Override
    public synchronized Optional<StoredObject> get(String key, int maxBytes) {
        if (failingGets > 0) {
            failingGets--;
            throw new StoreUnavailableException("fails on purpose");
        }
        StoredObject found = objects.get(key);
        if (found != null && found.content().bytes().length > maxBytes) {
            throw new UnreadableRecordException(key + " is larger than " + maxBytes + " bytes");
        }
        return Optional.ofNullable(found);
    }

    @Override
    public synchronized PutOutcome put(String key, ObjectContent content, Optional<String> ifTag) {
        puts++;
        Optional.ofNullable(beforePuts.poll()).ifPresent(Runnable::run);
        PutFault fault = faults.poll();
        if (fault == null) {
            return write(key, content, ifTag);
        }
        return switch (fault) {
            case LOST -> new PutOutcome.Unknown("lost on purpose");
            case LACKS_RIGHT -> new PutOutcome.Unknown("no right to write; allow it", true);
            case MADE_BUT_UNANSWERED -> {
                write(key, content, ifTag);
                yield new PutOutcome.Unknown("not answered on purpose");
            }
            case MADE_BUT_REFUSED -> {
                write(key, content, ifTag);
                yield new PutOutcome.Refused("sent twice on purpose");
            }
            case REFUSED_FOR_NOTHING -> new PutOutcome.Refused("rejected on purpose");
        };
    }

    private PutOutcome write(String key, ObjectContent content, Optional<String> ifTag) {
        Optional<String> present = Optional.ofNullable(objects.get(key)).map(StoredObject::tag);
        if (!present.equals(ifTag)) {
            return new PutOutcome.Refused("the condition does not hold");
        }
        overwrite(key, content);
        return new PutOutcome.Stored(tagOf(content));
    }

    private static String tagOf(ObjectContent content) {
        return "\"" + content.mediaType() + content.metadata() + content.text() + "\"";
    }

    @Override
    public void close() {
        closed = true;
    }
}
