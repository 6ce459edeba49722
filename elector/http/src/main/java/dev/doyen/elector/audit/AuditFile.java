package dev.doyen.elector.audit;

import dev.doyen.log.FaultLog;
import dev.doyen.log.LineLimiter;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Writes the audit log as lines of JSON, to a file or to standard output.
 *
 * <p>The log does not limit the rate of admin commands. Any client can cause the other kinds of events. Therefore the
 * log limits each of these kinds to {@value LineLimiter#AT_ONCE} records at once and {@value LineLimiter#PER_SECOND}
 * per second. If the log omits records, it later writes a record that contains their number. If another program renames
 * or deletes the file, the log creates a new file. Until the log can open the new file, it writes to the old file.
 *
 * <p>Threads: one thread writes. If {@value #MAX_WAITING} records wait for this thread, the log leaves out further
 * records of every kind.
 */
public final class AuditFile implements AuditLog {

    /** The maximum number of records that wait to be written. */
    static final int MAX_WAITING = 10_000;

    private static final long SUMMARY_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long MAX_CLOSE_MILLIS = 2_000;

    private final FaultLog faults = new FaultLog(System.getLogger(AuditFile.class.getName()));
    private final BlockingQueue<Waiting> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final Map<AuditEvent, LineLimiter> limiters = new EnumMap<>(AuditEvent.class);
    private final AtomicLong overflow = new AtomicLong();
    private final Thread thread = new Thread(this::run, "doyen-audit");
    private final OutputStream output;
    private volatile boolean closed;

    private record Waiting(Instant time, AuditRecord entry) {}

    private static final Waiting WAKE_UP = new Waiting(Instant.EPOCH, AuditRecord.of(AuditEvent.RECORDS_LEFT_OUT));

    private AuditFile(OutputStream output) {
        this.output = output;
        long now = System.nanoTime();
        for (AuditEvent event : AuditEvent.values()) {
            if (event != AuditEvent.ADMIN_COMMAND) {
                limiters.put(event, new LineLimiter(now));
            }
        }
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Appends to a file. If the file does not exist, the log creates it, readable and writable only by its owner.
     *
     * @throws IOException if the file cannot be opened
     */
    public static AuditFile appendTo(Path file) throws IOException {
        return new AuditFile(new RotatedFile(file));
    }

    /** Writes to a stream, which the log does not close. */
    public static AuditFile to(OutputStream stream) {
        return new AuditFile(new FilterOutputStream(stream) {
            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                out.write(bytes, from, count);
            }

            @Override
            public void close() throws IOException {
                flush();
            }
        });
    }

    @Override
    public void write(AuditRecord entry) {
        LineLimiter limiter = limiters.get(entry.event());
        if (closed || (limiter != null && !limiter.permits(entry.event().text(), System.nanoTime()))) {
            return;
        }
        if (!waiting.offer(new Waiting(Instant.now(), entry))) {
            overflow.incrementAndGet();
        }
    }

    @Override
    public void close() {
        closed = true;
        // The record only wakes the thread. If the queue is full, the thread is awake.
        waiting.offer(WAKE_UP);
        try {
            thread.join(MAX_CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        long summaryNanos = System.nanoTime();
        while (!closed) {
            try {
                Waiting next = waiting.poll(SUMMARY_NANOS, TimeUnit.NANOSECONDS);
                attempt(() -> writeAll(next));
            } catch (InterruptedException e) {
                // The program never interrupts this thread. If other code does, the thread writes the waiting records
                // and ends.
                break;
            }
            if (System.nanoTime() - summaryNanos >= SUMMARY_NANOS) {
                summaryNanos = System.nanoTime();
                attempt(this::summarize);
            }
        }
        attempt(() -> writeAll(waiting.poll()));
        attempt(this::summarize);
        attempt(output::close);
    }

    /** Writes this record and all records that wait. */
    private void writeAll(@Nullable Waiting first) throws IOException {
        for (Waiting next = first; next != null; next = waiting.poll()) {
            if (!next.equals(WAKE_UP)) {
                write(next.time(), next.entry());
            }
        }
        output.flush();
    }

    private void summarize() throws IOException {
        for (LineLimiter limiter : limiters.values()) {
            Optional<String> omitted = limiter.takeLeftOut();
            if (omitted.isPresent()) {
                leftOut(omitted.get());
            }
        }
        long lost = overflow.getAndSet(0);
        if (lost > 0) {
            leftOut(lost + " records were left out, because more than " + MAX_WAITING + " records waited");
        }
        output.flush();
    }

    private void leftOut(String sentence) throws IOException {
        write(Instant.now(), AuditRecord.of(AuditEvent.RECORDS_LEFT_OUT).with("message", sentence));
    }

    private void write(Instant time, AuditRecord entry) throws IOException {
        byte[] line = (entry.json(time) + "\n").getBytes(StandardCharsets.UTF_8);
        output.write(line);
    }

    private interface Writing {
        void run() throws IOException;
    }

    /**
     * Runs a part of the work. If the part fails, the audit log continues, and the program's log reports the reason
     * once.
     */
    private void attempt(Writing writing) {
        try {
            writing.run();
        } catch (Throwable e) {
            faults.report("writing the audit log", e);
        }
    }

    /** A file that another program may rename or delete. */
    private static final class RotatedFile extends OutputStream {

        private final Path file;
        private OutputStream stream;
        /** The identity of the open file; null if the file system has no identities. */
        private @Nullable Object key;

        RotatedFile(Path file) throws IOException {
            this.file = file;
            this.stream = append(file);
            this.key = key(file);
        }

        private static OutputStream append(Path file) throws IOException {
            boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
            var ownerOnly = posix
                    ? new FileAttribute<?>[] {
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                    }
                    : new FileAttribute<?>[0];
            return Channels.newOutputStream(Files.newByteChannel(
                    file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND), ownerOnly));
        }

        private static @Nullable Object key(Path file) throws IOException {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        }

        @Override
        public void write(int value) throws IOException {
            stream.write(value);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            stream.write(bytes, from, count);
        }

        @Override
        public void flush() throws IOException {
            stream.flush();
            if (!Files.exists(file) || !Objects.equals(key(file), key)) {
                reopen();
            }
        }

        /** Opens the new file, and then closes the old file. If the new file cannot be opened, keeps the old file. */
        private void reopen() throws IOException {
            OutputStream old = stream;
            OutputStream opened = append(file);
            try {
                key = key(file);
            } catch (IOException e) {
                opened.close();
                throw e;
            }
            stream = opened;
            old.close();
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
