package dev.doyen.stores.quorum;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A {@link Disk} in memory that records each operation.
 *
 * <p>From these operations the class derives the possible contents after a power loss at any operation. Each content
 * consists of the forced changes and a prefix of the later changes. In some contents, zeros replace the missing bytes
 * of a file. Names and bytes of files become durable independently of each other.
 */
final class RecordedDisk implements Disk {

    /** How many prefixes of the unforced bytes a test tries: every prefix, or only some prefixes. */
    enum Detail {
        EACH_BYTE,
        SOME
    }

    private final List<BiConsumer<Image, List<Runnable>>> operations = new ArrayList<>();
    private final Map<String, byte[]> first;
    private final Image now;
    private int opened;

    RecordedDisk() {
        this(Map.of());
    }

    /** Creates a disk on which these files are durable. */
    RecordedDisk(Map<String, byte[]> files) {
        first = Map.copyOf(files);
        now = new Image(first);
    }

    /** Returns the number of operations so far. */
    int operations() {
        return operations.size();
    }

    /** Returns the files as a running process reads them. */
    Map<String, byte[]> files() {
        return now.files();
    }

    @Override
    public byte[] read(String name) throws IOException {
        File file = now.names.get(name);
        if (file == null) {
            throw new NoSuchFileException(name);
        }
        return file.bytes.toByteArray();
    }

    @Override
    public Output create(String name) {
        int number = opened++;
        did((image, pending) -> {
            var file = new File();
            image.opened.put(number, file);
            pending.add(() -> image.names.put(name, file));
        });
        return new RecordedOutput(number);
    }

    @Override
    public void rename(String from, String to) {
        did((image, pending) -> pending.add(() -> image.names.put(to, image.names.remove(from))));
    }

    @Override
    public void force() {
        did((image, pending) -> {
            pending.forEach(Runnable::run);
            pending.clear();
        });
    }

    @Override
    public String where(String name) {
        return "/disk/" + name;
    }

    /**
     * Visits the possible contents after a power loss at each operation. The visits differ in the names of all files
     * and in the bytes of the file {@code name}.
     *
     * @param visit the function that receives the number of operations before the loss and the remaining files
     */
    void losses(Detail detail, String name, BiConsumer<Integer, Map<String, byte[]>> visit) {
        for (int count = 0; count <= operations.size(); count++) {
            int names = pendingNames(count);
            for (int applied = 0; applied <= names; applied++) {
                Image left = after(count, applied);
                File file = left.names.get(name);
                if (file == null) {
                    visit.accept(count, left.files());
                } else {
                    for (byte[] bytes : file.losses(detail)) {
                        Map<String, byte[]> files = left.files();
                        files.put(name, bytes);
                        visit.accept(count, files);
                    }
                }
            }
        }
    }

    private int pendingNames(int count) {
        var image = new Image(first);
        List<Runnable> pending = new ArrayList<>();
        operations.subList(0, count).forEach(each -> each.accept(image, pending));
        return pending.size();
    }

    /**
     * Returns the disk after this number of operations. Of the name changes that were not forced, the result
     * contains the first {@code applied} changes and no others.
     */
    private Image after(int count, int applied) {
        var image = new Image(first);
        List<Runnable> pending = new ArrayList<>();
        operations.subList(0, count).forEach(each -> each.accept(image, pending));
        pending.subList(0, applied).forEach(Runnable::run);
        return image;
    }

    private void did(BiConsumer<Image, List<Runnable>> operation) {
        operations.add(operation);
        List<Runnable> pending = new ArrayList<>();
        operation.accept(now, pending);
        pending.forEach(Runnable::run);
    }

    private final class RecordedOutput implements Output {
        private final int number;

        RecordedOutput(int number) {
            this.number = number;
        }

        @Override
        public void write(byte[] bytes) {
            byte[] copy = bytes.clone();
            did((image, pending) -> image.opened.get(number).bytes.writeBytes(copy));
        }

        @Override
        public void force() {
            did((image, pending) -> {
                File file = image.opened.get(number);
                file.durable = file.bytes.size();
            });
        }

        @Override
        public void close() {}
    }

    private static final class Image {
        final Map<String, File> names = new HashMap<>();
        final Map<Integer, File> opened = new HashMap<>();

        Image(Map<String, byte[]> files) {
            files.forEach((name, bytes) -> {
                var file = new File();
                file.bytes.writeBytes(bytes);
                file.durable = bytes.length;
                names.put(name, file);
            });
        }

        Map<String, byte[]> files() {
            Map<String, byte[]> files = new HashMap<>();
            names.forEach((name, file) -> files.put(name, file.bytes.toByteArray()));
            return files;
        }
    }

    private static final class File {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int durable;

        /**
         * Returns the possible contents of the file after a power loss. The contents are the durable bytes, followed by
         * a prefix of the other bytes. Each shorter prefix is returned twice: alone, and with zeros for the missing
         * bytes.
         */
        List<byte[]> losses(Detail detail) {
            byte[] all = bytes.toByteArray();
            List<byte[]> losses = new ArrayList<>();
            int step = detail == Detail.EACH_BYTE ? 1 : Math.max(1, (all.length - durable + 2) / 3);
            for (int length = durable; length < all.length; length += step) {
                losses.add(Arrays.copyOf(all, length));
                losses.add(Arrays.copyOf(Arrays.copyOf(all, length), all.length));
            }
            losses.add(all);
            return losses;
        }
    }
}
