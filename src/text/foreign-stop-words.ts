/**
 * Function words of Spanish, Portuguese, German, French and Ukrainian, without accents. Words that are also English
 * words, technical terms or packages are left out, such as "es" (ES modules), "mit" (the licence), "os", "num",
 * "bin", "comment", "immer" and "die". So are words whose stem is one: "neste" (Nest).
 */
export const foreignStopWords: ReadonlySet<string> = new Set(
  `al algo algun alguna algunas algunos aquel aquella aquello asi aunque cada como cual cuales cuando cuanto
  de desde donde durante el ella ellas ellos entonces entre eran esa esas ese eso esos esta estaba estaban
  estamos estan este esto estos estoy fue fueron habia hace hacia hasta hay hemos la las los luego mas
  mientras muy ni ninguna ninguno nosotros nuestra nuestro nunca otra otras otro otros para pero por porque
  pues que quien segun sido siempre sino sobre somos soy su sus tambien tampoco tanto tengo tiene tienen
  tras tu un una unas usted vamos yo ainda ao aos apenas aquela aquele aquilo assim da das dela dele depois
  dessa desse desta deste ela elas ele eles enquanto entao essa essas esse esses estao estava estavam estou
  foi foram isso isto lhe mais mesmo meu minha muito na nao nas nem nenhum nenhuma nos nossa nosso onde ou
  outra outras outro outros pela pelas pelo pelos quais qual quando quanto quem sao sem sempre seu seus sob
  sua suas tambem tao tem temos tenho teve tinha tudo um uma uns vai vao voce voces aber alle allem allen
  aller alles als andere anderen auch auf aus bei beim bevor bis dabei dadurch dafur damit dann daran darauf
  darin daruber dass davon dazu dein deine dem den denen denn der deren des deshalb dessen dich diese diesem
  diesen dieser dieses doch dort du durch ein eine einem einen einer eines einige etwas euch gegen habe
  haben hat hatte hatten hier ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ist jede jedem jeden jeder jedes
  jetzt kann kannst kein keine keinem keinen konnen konnte mehr mein meine mich mir muss mussen nach nachdem
  nein nicht nichts noch nun nur obwohl oder ohne schon sehr sein seine seinem seinen seiner seit sich sie
  sind sobald soll sollen sollte sollten sonst und unser unsere unter vom von vor wahrend wann waren warum
  weil welche welchem welchen welcher welches wenn wer werde werden wie wieder wieso wir wird wo wobei wofur
  woher wohin womit worden wurde wurden zu zum zur zwischen afin ainsi alors au aucun aucune aussi autre
  autres aux avaient avait avant avec avez avoir avons ce ceci cela celui ces cet cette ceux chaque chez
  depuis donc elle elles encore est et etaient etait etre eux fait ici il ils jamais je jusqu laquelle le
  lequel les leur leurs lors lorsque lui meme mes moi mon ne notre nous ont par pas peu peut peux plusieurs
  pour pourquoi puis puisque qu quand quel quelle quelles quelque quelques quels qui quoi rien sa sera soit
  sommes sont sous suis sur tes toi toujours tous tout toute toutes une vos votre vous або адже але б без би
  був була були вже ви вона вони воно всього всі від він де дуже з завжди зараз зі й його йому кожен коли
  крім лише мають має мене мені ми може моя між мій навіть нас наш наша немає неї ні ніж ніколи нічого один
  ось перед поки при про під після саме свій себе собі та така таке такий такі там те теж тепер ти тим тих
  тобі тоді той тому треба тут усе усі хоча хто це цей цього цьому цю ця ці чи чим чого чому ще що щоб щодо
  як яка яке який яким якого якої яку якщо які якій є і із інший інші їй їм їх її`.split(/\s+/),
);
