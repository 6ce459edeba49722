package dev.doyen.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** The measured values of one quantity, in ascending order. A sample has at least one value. */
public record Sample(List<Double> values) {

    public Sample {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("a sample has no values; measure something first");
        }
        var sorted = new ArrayList<>(values);
        sorted.sort(null);
        values = List.copyOf(sorted);
    }

    public static Sample of(double value) {
        return new Sample(List.of(value));
    }

    /** Returns the middle value, or the mean of the two middle values. */
    public double median() {
        int half = values.size() / 2;
        return values.size() % 2 == 1 ? values.get(half) : (values.get(half - 1) + values.get(half)) / 2;
    }

    /**
     * Returns the 90th percentile.
     *
     * <p>This is the lowest value that at least nine tenths of all values do not exceed.
     */
    public double p90() {
        return values.get((int) Math.ceil(values.size() * 0.9) - 1);
    }

    public double min() {
        return values.get(0);
    }

    public double max() {
        return values.get(values.size() - 1);
    }

    public int n() {
        return values.size();
    }
}
