package dev.doyen.benchmarks;

import dev.doyen.benchmarks.contender.Entrant;
import java.util.List;
import java.util.Optional;

/**
 * Formats the medians of {@link Stores} as a table. The table has a row for each quantity and a column for each store.
 */
final class StoresTable {

    private final List<Figure> figures;

    StoresTable(List<Figure> figures) {
        this.figures = figures;
    }

    /**
     * Returns the table. Each cell contains the median of one store.
     *
     * <p>If {@link Stores#PEER} has a positive median in a row, each other cell with a median also contains a ratio in
     * parentheses. The ratio is the median of the cell divided by the median of {@link Stores#PEER}.
     */
    String markdown() {
        List<Entrant> columns = figures.stream().map(Figure::entrant).distinct().toList();
        var text = new StringBuilder("| measure |");
        columns.forEach(each -> text.append(' ').append(header(each)).append(" |"));
        text.append("\n|---|").append("--:|".repeat(columns.size())).append('\n');
        for (StoresMeasure measure : StoresMeasure.values()) {
            text.append("| ").append(measure.label()).append(" |");
            columns.forEach(
                    each -> text.append(' ').append(cell(measure.label(), each)).append(" |"));
            text.append('\n');
        }
        return text.toString();
    }

    private static String header(Entrant entrant) {
        return (entrant.isDoyen() ? "Doyen, " : entrant.label() + ", ")
                + entrant.server().label();
    }

    private String cell(String what, Entrant entrant) {
        return figure(what, entrant)
                .map(figure -> {
                    double median = figure.sample().median();
                    String value = Report.number(median) + (figure.unit().isEmpty() ? "" : " " + figure.unit());
                    return entrant == Stores.PEER
                            ? value
                            : value
                                    + figure(what, Stores.PEER)
                                            .map(peer -> peer.sample().median())
                                            .filter(peer -> peer > 0)
                                            .map(peer -> " (x " + Report.number(median / peer) + ")")
                                            .orElse("");
                })
                .orElse("-");
    }

    private Optional<Figure> figure(String what, Entrant entrant) {
        return figures.stream()
                .filter(each -> each.what().equals(what) && each.entrant() == entrant)
                .findFirst();
    }
}
