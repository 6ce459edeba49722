package dev.doyen.benchmarks;

import java.util.List;

/** One part of the benchmark. Each part can run without the other parts. */
interface Part {

    /** Returns the name of the part on the command line. */
    String name();

    List<Figure> run(Run run) throws Exception;
}
