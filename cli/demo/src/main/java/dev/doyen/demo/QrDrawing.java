package dev.doyen.demo;

import io.nayuki.qrcodegen.QrCode;

/**
 * A QR code (ISO/IEC 18004) of a URL, drawn for a page and for a terminal.
 *
 * <p>Threads: any.
 */
public final class QrDrawing {

    /** The width of the light margin that the standard requires, in modules. */
    private static final int MARGIN = 4;

    private static final String BLACK_ON_WHITE = "\u001b[30;107m";
    private static final String RESET = "\u001b[0m";

    private final QrCode code;

    private QrDrawing(QrCode code) {
        this.code = code;
    }

    /**
     * Encodes the URL.
     *
     * @throws io.nayuki.qrcodegen.DataTooLongException if the URL has more than about 2,000 characters
     */
    public static QrDrawing of(String url) {
        return new QrDrawing(QrCode.encodeText(url, QrCode.Ecc.MEDIUM));
    }

    /** Returns an SVG image with dark modules on a light background. */
    public String svg() {
        int side = code.size + 2 * MARGIN;
        var path = new StringBuilder();
        for (int y = 0; y < code.size; y++) {
            for (int x = 0; x < code.size; x++) {
                if (code.getModule(x, y)) {
                    path.append('M')
                            .append(x + MARGIN)
                            .append(' ')
                            .append(y + MARGIN)
                            .append("h1v1h-1z");
                }
            }
        }
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + side + " " + side
                + "\" shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h" + side + "v" + side
                + "H0z\"/><path fill=\"#000\" d=\"" + path + "\"/></svg>\n";
    }

    /**
     * Returns lines of block characters. Each character shows two modules, one above the other.
     *
     * @param colors true if the terminal understands escape sequences for colors; otherwise the light modules have the
     *     color of the text, which is right on a dark background
     */
    public String lines(boolean colors) {
        var lines = new StringBuilder();
        for (int y = -MARGIN; y < code.size + MARGIN; y += 2) {
            lines.append(colors ? BLACK_ON_WHITE : "");
            for (int x = -MARGIN; x < code.size + MARGIN; x++) {
                boolean upper = code.getModule(x, y) == colors;
                boolean lower = code.getModule(x, y + 1) == colors;
                lines.append(upper ? (lower ? '█' : '▀') : (lower ? '▄' : ' '));
            }
            lines.append(colors ? RESET : "").append('\n');
        }
        return lines.toString();
    }
}
