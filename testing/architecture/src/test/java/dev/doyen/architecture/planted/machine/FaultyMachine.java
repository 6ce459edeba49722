package dev.doyen.architecture.planted.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** A planted machine that breaks every rule for machines. */
public final class FaultyMachine {

    private final ConcurrentHashMap<String, String> shared = new ConcurrentHashMap<>();

    public String step() throws IOException {
        System.getLogger("planted").log(System.Logger.Level.INFO, "a machine that logs");
        shared.put("time", Long.toString(System.nanoTime()));
        shared.put("wall clock", Long.toString(System.currentTimeMillis()));
        shared.put("random", Integer.toString(new Random(1).nextInt()));
        return shared + Files.readString(Path.of("planted"));
    }

    public void list() throws IOException {
        try (var files = Files.newDirectoryStream(Path.of("planted"))) {
            files.forEach(file -> shared.put("file", file.toString()));
        }
    }

    public void save() {
        if (shared.isEmpty()) {
            throw new UnsupportedOperationException("not supported on purpose");
        }
    }
}
