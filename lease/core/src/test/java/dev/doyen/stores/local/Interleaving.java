package dev.doyen.stores.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A folder in memory that several writers use in turns.
 *
 * <p>A seed determines the writer of each turn. Sometimes a writer is stopped for many turns, at any operation. A file
 * operation takes one turn, and a listing takes two. The listing contains all files that exist at both turns. A random
 * choice decides whether the listing contains a file that is created or deleted between the two turns.
 */
final class Interleaving {

    private final Map<String, String> files = new TreeMap<>();
    private final Set<Integer> waiting = new TreeSet<>();
    private final Map<Integer, Integer> asleep = new TreeMap<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final Random random;
    private int alive;
    private int chosen = -1;
    private long highest;
    private int late;

    Interleaving(long seed) {
        random = new Random(seed);
    }

    void run(List<Runnable> writers) throws InterruptedException {
        alive = writers.size();
        for (int i = 0; i < writers.size(); i++) {
            int id = i;
            var thread = new Thread(() -> {
                try {
                    writers.get(id).run();
                } catch (Throwable e) {
                    synchronized (this) {
                        failures.add(e);
                    }
                } finally {
                    synchronized (this) {
                        alive--;
                        notifyAll();
                    }
                }
            });
            thread.setDaemon(true);
            thread.start();
        }
        synchronized (this) {
            while (alive > 0) {
                while (waiting.size() < alive || chosen >= 0) {
                    wait();
                }
                if (alive > 0) {
                    chosen = choose();
                    notifyAll();
                }
            }
        }
        if (!failures.isEmpty()) {
            throw new AssertionError("a writer failed", failures.get(0));
        }
    }

    /**
     * Returns the number of writes that were stopped for too long.
     *
     * <p>Such a write links a file although a file with a higher number was linked before, or its rename fails because
     * another writer has deleted its temporary file.
     */
    int late() {
        return late;
    }

    LeaseFolder folder(int writer) {
        return new Folder(writer);
    }

    private int choose() {
        asleep.replaceAll((id, turns) -> turns - 1);
        asleep.values().removeIf(turns -> turns <= 0);
        List<Integer> awake =
                waiting.stream().filter(id -> !asleep.containsKey(id)).toList();
        if (awake.isEmpty()) {
            asleep.clear();
            awake = List.copyOf(waiting);
        }
        int id = awake.get(random.nextInt(awake.size()));
        if (random.nextInt(30) == 0) {
            asleep.put(id, 20 + random.nextInt(400));
        }
        return id;
    }

    private synchronized void turn(int id) {
        waiting.add(id);
        notifyAll();
        try {
            while (chosen != id) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        waiting.remove(id);
        chosen = -1;
    }

    private final class Folder extends LeaseFolder {
        private final int id;

        Folder(int id) {
            super(java.nio.file.Path.of("memory"));
            this.id = id;
        }

        @Override
        SortedSet<Long> revisions() {
            turn(id);
            SortedSet<Long> before = numbers();
            turn(id);
            SortedSet<Long> after = numbers();
            SortedSet<Long> seen = new TreeSet<>();
            for (long each : before) {
                if (after.contains(each) || random.nextBoolean()) {
                    seen.add(each);
                }
            }
            for (long each : after) {
                if (!before.contains(each) && random.nextBoolean()) {
                    seen.add(each);
                }
            }
            return seen;
        }

        @Override
        Set<String> named(String prefix) {
            turn(id);
            Set<String> before = new TreeSet<>(files.keySet());
            turn(id);
            Set<String> either = new TreeSet<>(files.keySet());
            either.addAll(before);
            either.removeIf(name -> {
                boolean always = before.contains(name) && files.containsKey(name);
                return !name.startsWith(prefix) || (!always && random.nextBoolean());
            });
            return either;
        }

        @Override
        void make() {}

        @Override
        Optional<String> text(String name) {
            turn(id);
            return Optional.ofNullable(files.get(name));
        }

        @Override
        void create(String name, String text) {
            turn(id);
            files.put(name, text);
        }

        @Override
        void touch(String name) {
            turn(id);
            files.put(name, "");
        }

        @Override
        boolean link(String name, String second) throws java.io.IOException {
            turn(id);
            if (!files.containsKey(name)) {
                throw new java.nio.file.NoSuchFileException(name);
            }
            boolean linked = files.putIfAbsent(second, files.get(name)) == null;
            if (linked && second.matches("[0-9]+")) {
                late += Long.parseLong(second) < highest ? 1 : 0;
                highest = Math.max(highest, Long.parseLong(second));
            }
            return linked;
        }

        @Override
        boolean replace(String name, String replaced) {
            turn(id);
            String text = files.remove(name);
            if (text == null) {
                late++;
                return false;
            }
            files.put(replaced, text);
            return true;
        }

        @Override
        void delete(String name) {
            turn(id);
            files.remove(name);
        }

        private SortedSet<Long> numbers() {
            SortedSet<Long> numbers = new TreeSet<>();
            files.keySet().stream()
                    .filter(name -> name.matches("[0-9]+"))
                    .forEach(name -> numbers.add(Long.parseLong(name)));
            return numbers;
        }
    }
}
