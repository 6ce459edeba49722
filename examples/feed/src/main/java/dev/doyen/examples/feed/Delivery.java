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
 * Where one process puts what it hears: a file to which each line is added once, in order. It remembers by itself where it
 * is, and which term it has seen. Threads: any.
 */
final class Delivery implements AutoCloseable {

    private static final String RESOURCE = "feed";

    /** The last line is looked for in so much of the file: it has at most three bytes for each character. */
    private static final int TAIL_BYTES = 4 * Wire.MAX_LINE_CHARS;

    private final Fence fence = Fence.inMemory();
    private final FileChannel file;
    private long next = 1;

    private Delivery(FileChannel file) {
        this.file = file;
    }

    /** Goes on after the last whole line of the file; half a line, which a kill has left, is cut off. */
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
        // One char for each byte: half a line may end in half a character.
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

    /** The number of the line that is to come. */
    synchronized long next() {
        return next;
    }

    /** From now on nothing of an earlier term is taken. */
    void admit(long term) {
        fence.admit(RESOURCE, term);
    }

    /**
     * Adds a line.
     *
     * @throws StaleTermException if a later holder was heard, or heard of
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
