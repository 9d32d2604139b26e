-- Decoders of Haskell over the stream protocol: haskell NAME, one of those in accepts below.
import Control.Exception (IOException, try)
import Control.Monad (unless)
import Data.Bits (shiftL)
import qualified Data.ByteString as B
import qualified Data.ByteString.Builder as Builder
import qualified Data.ByteString.Char8 as C
import Data.ByteString.Unsafe (unsafeUseAsCStringLen)
import qualified Data.Text.Encoding as T
import qualified Data.Text.Encoding.Error as T
import qualified GHC.Foreign
import System.Environment (getArgs)
import System.IO

accepts :: String -> B.ByteString -> IO Bool
accepts "control" text = return (sum (map toInteger (B.unpack text)) `mod` 256 < 128)
accepts "text" text = return (either (const False) (const True) (T.decodeUtf8' text))
accepts "base" text = do
    -- It raises an error when the character that is wrong is asked for.
    told <- try (unsafeUseAsCStringLen text (\place -> GHC.Foreign.peekCStringLen utf8 place >>= \it -> length it `seq` return ()))
    return (either (const False :: IOException -> Bool) (const True) told)
accepts name _ = error ("there is no decoder " ++ name)

replaced :: B.ByteString -> B.ByteString
replaced = T.encodeUtf8 . T.decodeUtf8With T.lenientDecode

answer :: String -> Char -> B.ByteString -> IO ()
answer _ 'r' text = do
    let it = replaced text
    Builder.hPutBuilder stdout (Builder.word32LE (fromIntegral (B.length it)) <> Builder.byteString it)
answer name _ text = accepts name text >>= \good -> putStr (if good then "1" else "0")

serve :: String -> Char -> IO ()
serve name mode = do
    size <- B.hGet stdin 4
    unless (B.length size < 4) $ do
        text <- B.hGet stdin (sum (zipWith shiftL (map fromIntegral (B.unpack size)) [0, 8, 16, 24]))
        answer name mode text
        -- Nothing tells whether the input has run dry, so every answer leaves at once.
        hFlush stdout
        serve name mode

main :: IO ()
main = do
    [name] <- getArgs
    mapM_ (`hSetBinaryMode` True) [stdin, stdout]
    hSetBuffering stdout (BlockBuffering Nothing)
    putStrLn ("utf8-abnf 1 modes=" ++ (if name == "text" then "v,r" else "v") ++ " name=haskell-" ++ name)
    hFlush stdout
    mode <- C.hGetLine stdin
    serve name (C.head mode)
