package dev.doyen.elector.reload;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A value that is parsed from files. The class reads the files again when they change.
 *
 * <p>If the changed files cannot be used, the class logs a warning once and keeps the current value.
 *
 * <p>Threads: any. {@link #open} and {@link #reload} read the files on the calling thread. After {@link #start}, a
 * separate thread checks the files.
 *
 * @param <C> the contents of the files; equal if no byte has changed
 * @param <T> the value
 */
public final class ReloadedFiles<C, T> implements AutoCloseable {

    /** The time between two checks of the files. */
    public static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);

    /** The files and their format. The message of each exception contains the file and the reason. */
    public interface Source<C, T> {

        C read() throws IOException;

        T parse(C contents) throws IOException;
    }

    private final String what;
    private final Source<C, T> source;
    private C contents;
    private volatile T current;
    private @Nullable Consumer<T> listener;
    private @Nullable RepeatedTask checking;

    private ReloadedFiles(String what, Source<C, T> source) throws IOException {
        this.what = what;
        this.source = source;
        contents = source.read();
        current = source.parse(contents);
    }

    /**
     * Reads the files. The class checks the files for changes only after {@link #start}.
     *
     * @param what the value in log messages, without an article
     * @throws IOException if a file cannot be used
     */
    public static <C, T> ReloadedFiles<C, T> open(String what, Source<C, T> source) throws IOException {
        return new ReloadedFiles<>(what, source);
    }

    /**
     * Reads a file.
     *
     * @param maxBytes the maximum size of the file
     * @param expected the expected kind of file, for the error message if the file is too large
     * @throws IOException if the file cannot be read; the message contains the file and the reason
     */
    public static byte[] bytes(Path file, int maxBytes, String expected) throws IOException {
        try {
            if (Files.size(file) > maxBytes) {
                throw new IOException(file + " has more than " + maxBytes + " bytes; name " + expected);
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IOException(file + " does not exist", e);
        } catch (FileSystemException e) {
            throw new IOException(file + " cannot be read (" + e + ")", e);
        }
    }

    /** Returns the current value. */
    public T current() {
        return current;
    }

    /**
     * Starts to check the files, at once and then periodically.
     *
     * @param changed called for each new value, one call at a time
     */
    public synchronized void start(Duration interval, Consumer<T> changed) {
        listener = changed;
        checking = new RepeatedTask("reloading the " + what, interval, this::reload);
    }

    /** Checks the files soon, on the thread of this class. Without {@link #start}, the method has no effect. */
    public synchronized void checkNow() {
        if (checking != null) {
            checking.runNow();
        }
    }

    /**
     * Reads the files now.
     *
     * @throws IOException if a file cannot be used; the current value then stays in use
     */
    public synchronized void reload() throws IOException {
        try {
            C read = source.read();
            if (!read.equals(contents)) {
                current = source.parse(read);
                contents = read;
                if (listener != null) {
                    listener.accept(current);
                }
            }
        } catch (IOException e) {
            throw new IOException(e.getMessage() + "; the program continues with the previous " + what, e);
        }
    }

    /** Stops checking the files. */
    @Override
    public void close() {
        RepeatedTask running;
        synchronized (this) {
            running = checking;
        }
        if (running != null) {
            running.close();
        }
    }
}
