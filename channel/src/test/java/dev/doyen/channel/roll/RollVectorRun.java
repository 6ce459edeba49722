package dev.doyen.channel.roll;

import dev.doyen.mutants.SeededWorld;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** No world, but the vector of that number. */
public final class RollVectorRun implements SeededWorld {

    @Override
    public void run(long seed) {
        List<Path> vectors = RollVectorsTest.vectors().toList();
        try {
            RollVectorsTest.replay(vectors.get((int) seed - 1), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
