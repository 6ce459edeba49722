package dev.doyen.benchmarks;

import java.util.List;

/** One part of the benchmark, which can run alone. */
interface Part {

    /** Returns the name of the part on the command line. */
    String name();

    List<Figure> run(Run run) throws Exception;
}
