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
 * The file to which a process appends each received line once and in order.
 *
 * <p>The last line of the file contains the last number and the last term. Threads: the methods may be called on any
 * thread.
 */
final class Delivery implements AutoCloseable {

    private static final String RESOURCE = "feed";

    /**
     * The number of bytes to read at the end of the file.
     *
     * <p>These bytes contain the last line, because {@link Wire} limits the length of a line, and a Java character has
     * at most three bytes in UTF-8.
     */
    private static final int TAIL_BYTES = 4 * Wire.MAX_LINE_CHARS;

    private final Fence fence = Fence.inMemory();
    private final FileChannel file;
    private long next = 1;

    private Delivery(FileChannel file) {
        this.file = file;
    }

    /**
     * Opens the file to append after its last complete line. If a killed process has left an incomplete line, the
     * method removes it.
     */
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
            // The loop reads until the buffer is full.
        }
        // This encoding yields one char for each byte. It is used because an incomplete line can end within a
        // character.
        String text = new String(tail.array(), StandardCharsets.ISO_8859_1);
        int end = text.lastIndexOf('\n');
        if (end < 0 && begin > 0) {
            throw new IOException(
                    "the last " + TAIL_BYTES + " bytes of the log have no line end; did another program write it?");
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
     * @throws IOException if the number of the line is not {@link #next}
     */
    synchronized void add(TermLine termLine) throws IOException {
        fence.admit(RESOURCE, termLine.term());
        if (termLine.line().number() != next) {
            throw new IOException("line " + termLine.line().number() + " arrived instead of line " + next);
        }
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(termLine + "\n");
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
