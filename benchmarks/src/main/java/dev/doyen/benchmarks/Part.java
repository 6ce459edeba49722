package dev.doyen.benchmarks;

import java.util.List;

/** One part of the run, which can be run alone. */
interface Part {

    /** What it is called on the command line. */
    String name();

    List<Figure> run(Run run) throws Exception;
}
