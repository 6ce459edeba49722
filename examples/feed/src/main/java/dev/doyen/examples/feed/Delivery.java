package dev.doyen.examples.feed;

import dev.doyen.fence.Fence;
import dev.doyen.fence.StaleTermException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The file to which one process appends each received line once, in order.
 *
 * <p>The file also shows which line comes next and which term was seen last. Threads: any.
 */
final class Delivery implements AutoCloseable {

    private static final String RESOURCE = "feed";

    /** How much of the file's end is searched for the last line. A character has at most three bytes. */
    private static final int TAIL_BYTES = 4 * Wire.MAX_LINE_CHARS;

    private final Fence fence = Fence.inMemory();
    private final FileChannel file;
    private long next = 1;

    private Delivery(FileChannel file) {
        this.file = file;
    }

    /** Continues after the last complete line of the file, and cuts off an incomplete line that a kill has left. */
    static Delivery open(Path path) throws IOException {
        var delivery = new Delivery(
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
        delivery.goOn();
        return delivery;
    }

    private void goOn() throws IOException {
        long begin = Math.max(0, file.size() - TAIL_BYTES);
        ByteBuffer tail = ByteBuffer.allocate((int) (file.size() - begin));
        while (tail.hasRemaining() && file.read(tail, begin + tail.position()) >= 0) {
            // Read on.
        }
        // One char for each byte, because an incomplete line may end within a character.
        String text = new String(tail.array(), StandardCharsets.ISO_8859_1);
        int end = text.lastIndexOf('\n');
        if (end < 0 && begin > 0) {
            throw new IOException(
                    "the last " + TAIL_BYTES + " bytes of the log have no line end; is it this program's?");
        }
        if (end >= 0) {
            TermLine last = TermLine.parse(text.substring(text.lastIndexOf('\n', end - 1) + 1, end));
            fence.admit(RESOURCE, last.term());
            next = last.line().number() + 1;
        }
        file.truncate(begin + end + 1);
        file.position(begin + end + 1);
    }

    /** Returns the number of the next line. */
    synchronized long next() {
        return next;
    }

    /** Rejects lines of earlier terms from now on. */
    void admit(long term) {
        fence.admit(RESOURCE, term);
    }

    /**
     * Appends a line.
     *
     * @throws StaleTermException if a later leader is known
     * @throws IOException if it is not the next line
     */
    synchronized void add(TermLine said) throws IOException {
        fence.admit(RESOURCE, said.term());
        if (said.line().number() != next) {
            throw new IOException("line " + said.line().number() + " came where " + next + " was to come");
        }
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(said + "\n");
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
        next++;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
