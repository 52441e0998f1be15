// Reads inputs by ANTLR's own interpreters of a grammar, and says which of them are sentences.
//
//     java -cp antlr4.jar Judge.java GRAMMAR.g4 LIST
//
// LIST holds names of files, one a line. For each of them a line is printed: `yes NAME`, or `no NAME`. A
// sentence is what lexer and parser read from the first rule to the end of the text without a mistake; the
// parser is told to give up at the first one. For a parser grammar the lexer grammar is the one that its
// option `tokenVocab` names, beside it.

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.antlr.v4.Tool;
import org.antlr.v4.runtime.BailErrorStrategy;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.LexerInterpreter;
import org.antlr.v4.runtime.ParserInterpreter;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.antlr.v4.tool.Grammar;
import org.antlr.v4.tool.LexerGrammar;
import org.antlr.v4.tool.ast.GrammarRootAST;

public class Judge {
    /** Counts mistakes. */
    static final class Mistakes extends BaseErrorListener {
        int count;

        @Override
        public void syntaxError(Recognizer<?, ?> from, Object symbol, int line, int column,
                String message, RecognitionException error) {
            count++;
        }
    }

    static Grammar load(Path file, LexerGrammar[] lexer) throws Exception {
        Tool tool = new Tool();
        tool.libDirectory = file.toAbsolutePath().getParent().toString();
        GrammarRootAST root = tool.parseGrammar(file.toAbsolutePath().toString());
        if (root == null) {
            throw new IllegalArgumentException("no grammar: " + file);
        }
        String vocabulary = root.getOptionString("tokenVocab");
        if (vocabulary != null) {
            lexer[0] = (LexerGrammar) load(file.resolveSibling(vocabulary + ".g4"), new LexerGrammar[1]);
            tool.outputDirectory = tokens(lexer[0], vocabulary).toString();
        }
        Grammar grammar = tool.createGrammar(root);
        grammar.fileName = file.toString();
        tool.process(grammar, false);
        if (tool.getNumErrors() > 0) {
            throw new IllegalArgumentException(file + " has " + tool.getNumErrors() + " mistakes");
        }
        return grammar;
    }

    /** Writes the types of a lexer's tokens, which the tool reads for its parser, and gives the folder. */
    static Path tokens(LexerGrammar lexer, String name) throws Exception {
        Path folder = Files.createTempDirectory("antlr");
        StringBuilder out = new StringBuilder();
        lexer.tokenNameToTypeMap.forEach((token, type) -> out.append(token + "=" + type + "\n"));
        lexer.stringLiteralToTypeMap.forEach((token, type) -> out.append(token + "=" + type + "\n"));
        Path file = folder.resolve(name + ".tokens");
        Files.writeString(file, out.toString().replaceFirst("(?m)^EOF=-1\n", ""));
        file.toFile().deleteOnExit();
        folder.toFile().deleteOnExit();
        return folder;
    }

    public static void main(String[] arguments) throws Exception {
        LexerGrammar[] lexer = new LexerGrammar[1];
        Grammar grammar = load(Path.of(arguments[0]), lexer);
        List<String> names = Files.readAllLines(Path.of(arguments[1]));
        StringBuilder out = new StringBuilder();
        // One of each for all texts: what they have learned of the grammar takes longest to learn.
        Mistakes mistakes = new Mistakes();
        LexerInterpreter tokens = (lexer[0] != null ? lexer[0] : grammar)
                .createLexerInterpreter(CharStreams.fromString(""));
        tokens.removeErrorListeners();
        tokens.addErrorListener(mistakes);
        ParserInterpreter parser = grammar.createParserInterpreter(new CommonTokenStream(tokens));
        parser.removeErrorListeners();
        parser.addErrorListener(mistakes);
        parser.setErrorHandler(new BailErrorStrategy());
        for (String name : names) {
            mistakes.count = 0;
            tokens.setInputStream(CharStreams.fromPath(Path.of(name)));
            CommonTokenStream stream = new CommonTokenStream(tokens);
            boolean yes;
            try {
                stream.fill();
                parser.setTokenStream(stream);
                parser.parse(0);
                yes = mistakes.count == 0 && stream.LA(1) == Token.EOF;
            } catch (ParseCancellationException | java.util.EmptyStackException error) {
                yes = false;
            }
            out.append(yes ? "yes " : "no ").append(name).append('\n');
        }
        System.out.print(out);
    }
}
